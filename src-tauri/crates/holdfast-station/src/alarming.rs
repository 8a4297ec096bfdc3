//! Which alarms are raised and which end, with the events that tell it.
//!
//! Promise: each is told once when it is raised and once when it ends, however often it is looked at in between.

use holdfast_core::alarms::{Alarm, AlarmFacts, alarms};
use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::time::Now;

use crate::ports::{NoticeFacts, Sending};

/// The alarms that hold now. While sending pauses for a person nothing can be sent, whatever lies there.
pub(crate) fn holding(facts: &NoticeFacts, now: Now) -> Vec<Alarm> {
    let sendable = match facts.sending {
        Sending::Goes => facts.sendable,
        Sending::Pauses => None,
    };
    let breaker = &facts.primary.breaker;
    let rejections = facts.rejections.clone();
    let facts = AlarmFacts { primary: (breaker.admission(now), breaker.since()), sendable, rejections };
    alarms(&facts, now.wall)
}

/// The alarms to keep and their events; none when they are those that were raised before.
pub(crate) fn changed(facts: &NoticeFacts, now: Now) -> Option<(Vec<Alarm>, Vec<Entry>)> {
    let holding = holding(facts, now);
    let is_in = |alarms: &[Alarm], alarm: &Alarm| alarms.iter().any(|other| other.name() == alarm.name());
    let entry = |kind, alarm: &Alarm| Entry::new(kind).with("name", alarm.name()).with("facts", alarm);
    let raised = holding.iter().filter(|alarm| !is_in(&facts.raised, alarm));
    let ended = facts.raised.iter().filter(|alarm| !is_in(&holding, alarm));
    let entries: Vec<Entry> = raised
        .map(|alarm| entry(EventKind::AlarmRaised, alarm))
        .chain(ended.map(|alarm| entry(EventKind::AlarmEnded, alarm)))
        .collect();
    (!entries.is_empty()).then_some((holding, entries))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use holdfast_core::alarms::{Rejections, Sendable};

    use super::*;
    use crate::made_up::{after_ms, endpoint, tripped, words};

    fn facts(rejected: u64, raised: Vec<Alarm>) -> NoticeFacts {
        let rejections = Rejections { problem: "validation".into(), pointer: "/PIN".into(), count: rejected };
        NoticeFacts {
            primary: endpoint(),
            sending: Sending::Goes,
            sendable: None,
            rejections: vec![rejections],
            raised,
            restore: None,
            configuration: None,
            skipped: None,
        }
    }

    #[test]
    fn an_alarm_is_told_when_it_is_raised_and_when_it_ends() {
        let now = after_ms(0);
        assert!(changed(&facts(5, Vec::new()), now).is_none());
        let (raised, entries) = changed(&facts(6, Vec::new()), now).unwrap();
        assert_eq!(words(&entries), ["alarm.raised"]);
        assert!(changed(&facts(9, raised.clone()), now).is_none(), "with other figures it is the same one");
        let (left, entries) = changed(&facts(0, raised), now).unwrap();
        assert_eq!((left, words(&entries)), (Vec::new(), vec!["alarm.ended"]));
    }

    #[test]
    fn what_may_not_be_sent_is_not_wedged() {
        let lies = Some(Sendable { accepted_at: after_ms(0).wall, last_sent_at: None });
        let later = after_ms(3_600_000);
        let wedged = |facts: &NoticeFacts| holding(facts, later).len();
        let lying = NoticeFacts { sendable: lies, ..facts(0, Vec::new()) };
        assert_eq!(wedged(&lying), 1);
        assert_eq!(wedged(&NoticeFacts { sending: Sending::Pauses, ..lying.clone() }), 0);
        assert_eq!(wedged(&NoticeFacts { primary: tripped(), ..lying }), 0);
    }
}
