//! The one window: what is embedded in it, and what it may not do.
//!
//! Promise: the window shows the embedded page and nothing else. It follows no link out of it, opens no second window, and
//! a file that is dropped on it does not take the page's place.

use holdfast_wire::{ApiCode, ApiError};
use tauri::webview::NewWindowResponse;
use tauri::{Context, Manager, Runtime, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

use crate::commands::Answer;

/// The label that the capability files grant to.
const LABEL: &str = "main";
/// A common counter monitor.
const SIZE: (f64, f64) = (1280.0, 800.0);
/// The same monitor at 200 % zoom.
const SIZE_MIN: (f64, f64) = (640.0, 400.0);
/// Sizes of everything that a person may choose, in percent.
const TEXT_SIZE_MIN_PERCENT: u16 = 80;
/// The largest of them.
const TEXT_SIZE_MAX_PERCENT: u16 = 300;

/// Configuration, capabilities and page, as they were compiled in.
#[must_use]
pub fn context<R: Runtime>() -> Context<R> {
    tauri::generate_context!()
}

/// Whether the desktop says where a window could be opened; without, the toolkit ends the program without a sentence.
pub(crate) fn has_display() -> bool {
    let named = |name| std::env::var_os(name).is_some_and(|place| !place.is_empty());
    !cfg!(target_os = "linux") || ["DISPLAY", "WAYLAND_DISPLAY"].into_iter().any(named)
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
        // The page has its own keys for it, and keeps the size per person.
        .zoom_hotkeys_enabled(false)
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

/// Takes the window away; whatever the page shows stays as it is.
pub(crate) fn hide<R: Runtime>(app: &impl Manager<R>) {
    if let Some(window) = app.get_webview_window(LABEL)
        && let Err(cause) = window.hide()
    {
        tracing::warn!(error = %cause, "the window stays");
    }
}

#[tauri::command]
pub(crate) async fn set_text_size<R: Runtime>(window: WebviewWindow<R>, percent: u16) -> Answer<()> {
    let refused = |_| ApiError { code: ApiCode::Refused, problems: Vec::new() };
    let factor = zoom_of(percent).ok_or(()).map_err(refused)?;
    window.set_zoom(factor).map_err(|cause| {
        tracing::warn!(error = %cause, "the size of the text stays");
        refused(())
    })
}

fn zoom_of(percent: u16) -> Option<f64> {
    let allowed = TEXT_SIZE_MIN_PERCENT..=TEXT_SIZE_MAX_PERCENT;
    allowed.contains(&percent).then(|| f64::from(percent) / 100.0)
}

fn is_own_page(url: &Url) -> bool {
    url.scheme() == "tauri" && url.host_str() == Some("localhost")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn text_is_shown_in_the_sizes_that_are_allowed() {
        let cases = [
            (0, None),
            (79, None),
            (80, Some(0.8)),
            (100, Some(1.0)),
            (200, Some(2.0)),
            (300, Some(3.0)),
            (301, None),
        ];
        for (percent, factor) in cases {
            assert_eq!(zoom_of(percent), factor, "{percent}");
        }
    }

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
