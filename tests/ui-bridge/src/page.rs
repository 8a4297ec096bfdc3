//! The files of the built page.
//!
//! Promise: a file is served only from the page's own folder, by the plain name of its path; a type that the page does not
//! use is not served.

use std::path::{Component, Path, PathBuf};

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

/// One file of the page.
const FILE_MAX_BYTES: u64 = 32 * 1024 * 1024;
const TYPES: [(&str, &str); 8] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("woff2", "font/woff2"),
    ("ico", "image/x-icon"),
];

pub(crate) async fn file(folder: &Path, asked: &str) -> Response {
    let asked = if asked.is_empty() { "index.html" } else { asked };
    let (Some(path), Some(kind)) = (path_in(folder, asked), type_of(asked)) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let small = tokio::fs::metadata(&path).await.is_ok_and(|file| file.len() <= FILE_MAX_BYTES);
    match tokio::fs::read(&path).await {
        Ok(bytes) if small => ([(CONTENT_TYPE, kind)], bytes).into_response(),
        Ok(_) | Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

fn path_in(folder: &Path, asked: &str) -> Option<PathBuf> {
    let plain = Path::new(asked).components().all(|part| matches!(part, Component::Normal(_)));
    plain.then(|| folder.join(asked))
}

fn type_of(asked: &str) -> Option<&'static str> {
    let (_, ending) = asked.rsplit_once('.')?;
    TYPES.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_files_of_the_page_are_served() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("page");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("index.html"), "page").unwrap();
        std::fs::write(folder.join("odd.exe"), "odd").unwrap();
        std::fs::write(above.path().join("secret.json"), "{}").unwrap();
        let cases = [
            ("", StatusCode::OK),
            ("index.html", StatusCode::OK),
            ("odd.exe", StatusCode::NOT_FOUND),
            ("none.html", StatusCode::NOT_FOUND),
            ("../secret.json", StatusCode::NOT_FOUND),
            ("/etc/hostname", StatusCode::NOT_FOUND),
        ];
        for (asked, status) in cases {
            assert_eq!(file(&folder, asked).await.status(), status, "{asked}");
        }
    }
}
