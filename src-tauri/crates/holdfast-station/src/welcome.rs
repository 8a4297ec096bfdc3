//! Whether the SoR takes what this station sends, as far as this process has heard.
//!
//! Promise: one refusal is no more than a doubt; that the station itself is refused is said when a drain stopped because of
//! it, since the first of those refusals, and no longer than until the SoR takes something again. It is not persisted: the
//! next pass after a start hears it anew.

use holdfast_core::time::UtcMillis;

/// How this station stands with the SoR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Welcome {
    /// Nothing speaks against it.
    #[default]
    Taken,
    /// It was refused something, which may be a person's missing right.
    Doubted { since: UtcMillis },
    /// It is refused itself.
    Refused { since: UtcMillis },
}

/// What an answer says about the station's own rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reception {
    /// The SoR took it, or refused it for what it says.
    Taken,
    /// The SoR knows no right of this station to it.
    Refused,
    /// Nothing.
    Unsaid,
}

impl Welcome {
    /// After an answer.
    pub(crate) fn after(self, reception: Reception, at: UtcMillis) -> Self {
        match (self, reception) {
            (_, Reception::Taken) => Self::Taken,
            (Self::Taken, Reception::Refused) => Self::Doubted { since: at },
            (as_before, Reception::Refused | Reception::Unsaid) => as_before,
        }
    }

    /// After a drain that stopped because the station is refused.
    pub(crate) fn stopped(self, at: UtcMillis) -> Self {
        match self {
            Self::Taken => Self::Refused { since: at },
            Self::Doubted { since } | Self::Refused { since } => Self::Refused { since },
        }
    }

    /// Since when the station itself is refused.
    pub(crate) fn refused_since(self) -> Option<UtcMillis> {
        match self {
            Self::Refused { since } => Some(since),
            Self::Taken | Self::Doubted { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::after_ms;

    #[test]
    fn a_station_is_refused_since_the_first_refusal_and_until_something_is_taken() {
        let at = |ms| after_ms(ms).wall;
        let doubted = Welcome::default().after(Reception::Refused, at(1)).after(Reception::Refused, at(2));
        assert_eq!(doubted, Welcome::Doubted { since: at(1) });
        assert_eq!(doubted.refused_since(), None, "it may be a person's right");
        let refused = doubted.stopped(at(3)).after(Reception::Unsaid, at(4)).stopped(at(5));
        assert_eq!(refused.refused_since(), Some(at(1)));
        assert_eq!(refused.after(Reception::Taken, at(6)), Welcome::Taken);
        assert_eq!(Welcome::default().stopped(at(7)).refused_since(), Some(at(7)));
    }
}
