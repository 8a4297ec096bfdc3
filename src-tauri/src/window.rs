//! The one window: what is embedded in it, and what it may not do.
//!
//! Promise: the window shows the embedded page and nothing else. It follows no link out of it, opens no second window, and
//! a file that is dropped on it does not take the page's place.

use tauri::webview::NewWindowResponse;
use tauri::{Context, Manager, Runtime, Url, WebviewUrl, WebviewWindowBuilder};

/// The label that the capability files grant to.
const LABEL: &str = "main";
/// A common counter monitor.
const SIZE: (f64, f64) = (1280.0, 800.0);
/// The same monitor at 200 % zoom.
const SIZE_MIN: (f64, f64) = (640.0, 400.0);

/// Configuration, capabilities and page, as they were compiled in.
#[must_use]
pub fn context<R: Runtime>() -> Context<R> {
    tauri::generate_context!()
}

/// Opens it.
///
/// # Errors
/// The desktop gives no window.
pub(crate) fn open<R: Runtime>(app: &impl Manager<R>, title: &str) -> tauri::Result<()> {
    WebviewWindowBuilder::new(app, LABEL, WebviewUrl::default())
        .title(title)
        .inner_size(SIZE.0, SIZE.1)
        .min_inner_size(SIZE_MIN.0, SIZE_MIN.1)
        .devtools(cfg!(debug_assertions))
        .on_navigation(is_own_page)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        // What the page calls itself is what the desktop shows and what is read out; the desktop may refuse it.
        .on_document_title_changed(|window, title| drop(window.set_title(&title)))
        .build()?;
    Ok(())
}

/// Brings the window that is there before the person who started the program again.
pub(crate) fn bring_forward<R: Runtime>(app: &impl Manager<R>) {
    if let Some(window) = app.get_webview_window(LABEL) {
        // Each is a wish to the desktop, which may refuse it.
        let _ = window.unminimize();
        let _ = window.show();
        let _ = window.set_focus();
    }
}

fn is_own_page(url: &Url) -> bool {
    url.scheme() == "tauri" && url.host_str() == Some("localhost")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_window_goes_nowhere_but_to_its_own_page() {
        let cases = [
            ("tauri://localhost/index.html#counter/new", true),
            ("tauri://localhost", true),
            ("tauri://elsewhere/", false),
            ("https://localhost/", false),
            ("https://permits.example/", false),
            ("file:///etc/hostname", false),
            ("data:text/html,x", false),
            ("about:blank", false),
        ];
        for (address, allowed) in cases {
            assert_eq!(is_own_page(&address.parse().unwrap()), allowed, "{address}");
        }
    }
}
