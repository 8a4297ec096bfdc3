//! Which added elements a screen reader speaks, and in which words.

use std::collections::HashMap;

use crate::bus::{Accessible, Added, Ear};

/// Roles whose new children are spoken.
const LIVE_ROLES: [&str; 3] = ["log", "alert", "status"];

const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
/// The role of what a web view shows: `ATSPI_ROLE_DOCUMENT_WEB`.
const PAGE: u32 = 95;
/// Most objects that are walked.
const OBJECTS_MAX: usize = 20_000;

/// One message.
pub(crate) struct Message {
    pub(crate) role: String,
    pub(crate) text: String,
}

/// Whether a page is shown, found by walking the whole tree as a screen reader does when a window opens; before somebody
/// has walked there the web view keeps no tree, and sends no event. How many objects it has, when it is.
pub(crate) fn page_objects(ear: &Ear) -> Option<usize> {
    let mut ahead = ear.desktop();
    let (mut walked, mut pages) = (0, 0);
    while let Some(object) = ahead.pop().filter(|_| walked < OBJECTS_MAX) {
        walked += 1;
        pages += usize::from(role_number(ear, &object) == Some(PAGE));
        ahead.extend(ear.children(&object));
    }
    (pages > 0).then_some(walked)
}

/// The message, if the element was put into a live region and is still there to be asked.
pub(crate) fn message(ear: &Ear, added: &Added) -> Option<Message> {
    let role = live_role(ear, &added.parent)?;
    let text = words(ear, &added.child)?;
    Some(Message { role, text })
}

/// The web view gives no name of a role.
fn role_number(ear: &Ear, of: &Accessible) -> Option<u32> {
    ear.asks(of, ACCESSIBLE).ok()?.call("GetRole", &()).ok()
}

fn live_role(ear: &Ear, of: &Accessible) -> Option<String> {
    let accessible = ear.asks(of, ACCESSIBLE).ok()?;
    let attributes: HashMap<String, String> = accessible.call("GetAttributes", &()).ok()?;
    let role = attributes.get("xml-roles")?;
    LIVE_ROLES.contains(&role.as_str()).then(|| role.clone())
}

/// Its text, or its name where the engine gives no text.
fn words(ear: &Ear, of: &Accessible) -> Option<String> {
    let text = ear.asks(of, "org.a11y.atspi.Text").ok();
    let text: Option<String> = text.and_then(|text| text.call("GetText", &(0_i32, -1_i32)).ok());
    let said = text.filter(|text| !text.trim().is_empty());
    said.or_else(|| ear.asks(of, ACCESSIBLE).ok()?.get_property("Name").ok())
}
