//! The accessibility bus: found through the session's, joined as a screen reader joins it.

use std::collections::HashMap;

use zbus::blocking::{Connection, MessageIterator, Proxy, connection, proxy};
use zbus::message::Type;
use zbus::proxy::CacheProperties;
use zbus::zvariant::{OwnedObjectPath, OwnedValue};
use zbus::{MatchRule, Message};

/// Signals that may wait to be looked at; a busy page sends hundreds at once.
const SIGNALS_MAX: usize = 4_096;

/// Most children of one object that are looked at.
const CHILDREN_MAX: i32 = 1_000;

/// An accessible object: who has it, and its path there.
#[derive(Clone, Debug)]
pub(crate) struct Accessible {
    pub(crate) name: String,
    pub(crate) path: OwnedObjectPath,
}

/// A child that was added, and to what.
pub(crate) struct Added {
    pub(crate) parent: Accessible,
    pub(crate) child: Accessible,
}

/// A place on the accessibility bus from which the window is heard.
pub(crate) struct Ear(Connection);

impl Ear {
    /// Joins, says that a reader is there, and asks for the one kind of event that live regions send.
    pub(crate) fn on_the_accessibility_bus() -> zbus::Result<Self> {
        let session = Connection::session()?;
        let address: String =
            Proxy::new(&session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus")?.call("GetAddress", &())?;
        let status = Proxy::new(&session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Status")?;
        status.set_property("IsEnabled", true)?;
        status.set_property("ScreenReaderEnabled", true)?;
        let bus = connection::Builder::address(address.as_str())?.build()?;
        let registry = Proxy::new(
            &bus,
            "org.a11y.atspi.Registry",
            "/org/a11y/atspi/registry",
            "org.a11y.atspi.Registry",
        )?;
        registry
            .call::<_, _, ()>("RegisterEvent", &("object:children-changed:add", Vec::<String>::new(), ""))?;
        Ok(Self(bus))
    }

    /// Every child that is added from now on.
    pub(crate) fn added(&self) -> zbus::Result<impl Iterator<Item = zbus::Result<Added>>> {
        let rule = MatchRule::builder()
            .msg_type(Type::Signal)
            .interface("org.a11y.atspi.Event.Object")?
            .member("ChildrenChanged")?
            .build();
        let signals = MessageIterator::for_match_rule(rule, &self.0, Some(SIGNALS_MAX))?;
        Ok(signals.filter_map(|signal| signal.map(|signal| added(&signal)).transpose()))
    }

    /// Where every tree begins.
    pub(crate) fn desktop(&self) -> Vec<Accessible> {
        let path = OwnedObjectPath::try_from("/org/a11y/atspi/accessible/root");
        path.map(|path| Accessible { name: "org.a11y.atspi.Registry".to_owned(), path }).into_iter().collect()
    }

    /// What is directly under an object, one by one: asked for all at once, the toolkit leaves some out. Nothing when it is
    /// gone.
    pub(crate) fn children(&self, of: &Accessible) -> Vec<Accessible> {
        let Ok(accessible) = self.asks(of, "org.a11y.atspi.Accessible") else { return Vec::new() };
        let count: i32 = accessible.get_property("ChildCount").unwrap_or_default();
        let child =
            |at: i32| accessible.call::<_, _, (String, OwnedObjectPath)>("GetChildAtIndex", &(at,)).ok();
        let children = (0..count.min(CHILDREN_MAX)).filter_map(child);
        children.map(|(name, path)| Accessible { name, path }).collect()
    }

    /// A proxy for one interface of an accessible object.
    pub(crate) fn asks<'a>(&'a self, of: &'a Accessible, interface: &'static str) -> zbus::Result<Proxy<'a>> {
        // Nothing is kept of the properties: they are asked for once.
        proxy::Builder::new(&self.0)
            .destination(of.name.as_str())?
            .path(&of.path)?
            .interface(interface)?
            .cache_properties(CacheProperties::No)
            .build()
    }
}

/// None for a removal, and for what is no signal of this form.
fn added(signal: &Message) -> Option<Added> {
    let header = signal.header();
    let (detail, _, _, child): (String, i32, i32, OwnedValue) = detail_of(signal)?;
    if !detail.starts_with("add") {
        return None;
    }
    let (name, path): (String, OwnedObjectPath) = child.try_into().ok()?;
    let parent = Accessible { name: header.sender()?.to_string(), path: header.path()?.to_owned().into() };
    Some(Added { parent, child: Accessible { name, path } })
}

/// What an event carries: its detail, two numbers, the object that it is about, and one member more.
type Carried<Last> = (String, i32, i32, OwnedValue, Last);
/// In newer libraries: properties.
type Properties = HashMap<String, OwnedValue>;
/// In older ones: the application that sends it.
type Sender = (String, OwnedObjectPath);

fn detail_of(signal: &Message) -> Option<(String, i32, i32, OwnedValue)> {
    let body = signal.body();
    if let Ok((detail, first, second, child, _)) = body.deserialize::<Carried<Properties>>() {
        return Some((detail, first, second, child));
    }
    let (detail, first, second, child, _) = body.deserialize::<Carried<Sender>>().ok()?;
    Some((detail, first, second, child))
}
