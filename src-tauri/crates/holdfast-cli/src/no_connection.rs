//! The SoR for commands that need none: no connection can be opened through it.
//!
//! Promise: the counter works whatever the network, its certificates or its proxies are like, since what accepts and
//! what only looks is never given a way out.

use async_trait::async_trait;
use holdfast_core::ids::{ApplicationId, ETag};
use holdfast_core::outcome::Answer;
use holdfast_core::people::SignedStatement;
use holdfast_station::ports::{
    ContractAnswer, CopiedRecord, CopiedVisit, Delivery, NoLife, RecordSystem, RecordsPage, SessionAsk,
    Sockets, SorFault, VisitsAsk,
};

/// Nobody is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoConnection;

#[async_trait]
impl RecordSystem for NoConnection {
    async fn deliver(&self, _: &Delivery, _: Sockets) -> Answer {
        Answer::NotAsked
    }

    async fn look_up(&self, _: &Delivery, _: Sockets) -> Answer {
        Answer::NotAsked
    }

    async fn health(&self, _: &str, _: Sockets) -> Result<(), NoLife> {
        Err(NoLife::NotAsked)
    }

    fn forget_token(&self) {}

    async fn open_session(&self, _: &SessionAsk<'_>) -> Result<SignedStatement, SorFault> {
        Err(SorFault::NotAnswering)
    }

    async fn contract(&self, _: Option<&ETag>) -> Result<ContractAnswer, SorFault> {
        Err(SorFault::NotAnswering)
    }

    async fn visits(&self, _: &VisitsAsk) -> Result<Vec<CopiedVisit>, SorFault> {
        Err(SorFault::NotAnswering)
    }

    async fn records(&self, _: Option<&str>) -> Result<RecordsPage, SorFault> {
        Err(SorFault::NotAnswering)
    }

    async fn record(&self, _: ApplicationId) -> Result<CopiedRecord, SorFault> {
        Err(SorFault::NotAnswering)
    }
}
