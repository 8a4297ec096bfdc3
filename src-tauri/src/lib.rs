//! The shell: the window around the station.

/// Opens the window.
pub fn run() {
    let app = tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::init(|_, _, _| {}))
        .build(tauri::generate_context!());
    if let Ok(app) = app {
        app.run(|_, _| {});
    }
}
