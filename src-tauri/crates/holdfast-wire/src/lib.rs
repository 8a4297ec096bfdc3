//! What crosses between the station and whoever shows it: the window and the command line.
//!
//! Promise: these are plain data with one JSON form each, in the words of `docs/formats.md`. They hold no logic, decide
//! nothing, and know neither the store nor the network. Numbers that can exceed 2^53 are texts.

mod board;
mod conflict;
mod custody;
mod demo;
mod draft;
mod error;
mod field;
mod form;
mod likeness;
mod local;
mod offered;
mod outage;
mod oversight;
mod parcel;
mod record;
mod request;
mod restore;
mod said;
mod start;
mod view;
mod window;

pub use board::{
    BoardSaid, StationContract, StationHead, StationHearing, StationItem, StationRow, StationView,
    StationWhose, StationsView,
};
pub use conflict::{ConflictRow, ConflictView, TheirsView, VersionView};
pub use custody::{CopyInCustody, CopyRow, CustodyCopiesView, CustodyView};
pub use demo::{DemoFault, DemoPerson};
pub use draft::{DraftKept, DraftRow, DraftView, KeepDraftRequest, OpenDraftRequest};
pub use error::{ApiCode, ApiError};
pub use field::{CopiesView, CopyAge, InspectionRow, InspectionView, InspectionsView, ResultHere};
pub use form::{
    CheckRequest, CheckView, FieldControl, FieldNeed, FieldWidth, FormField, FormGroup, FormOption, FormView,
    Words,
};
pub use likeness::{KeepLikenessRequest, LikeView, LikenessKept, LikenessRow};
pub use local::{
    ImportEnd, LOCAL_VERSION, LocalAnswer, LocalHello, LocalOpening, LocalProof, LocalRefusal, LocalRequest,
    SentSoFar,
};
pub use offered::{
    CorrectingView, DecisionOffer, DecisionRefusal, DecisionWord, OfferRefusal, OfferView, OfferedView,
};
pub use outage::{
    EndpointSteered, HeldView, HoldEndpointRequest, OutageView, ReleaseEndpointRequest, TryView,
};
pub use oversight::{BacklogHour, BacklogHours, DecideRequest, Decided, Decision, OutageRow, OutagesView};
pub use parcel::{ParcelCopyView, ParcelView, ParcelsRequest, ParcelsView, ReceiptWarning};
pub use record::{
    About, AnswerView, FindRequest, FindView, ItemOrder, ItemRow, ItemView, ItemsOf, ItemsRequest, ItemsView,
    MoveRefusal, MoveView, Reached, ReasonNeed, RecordRow, RecordView, RecordedAs, StageStep,
};
pub use request::{DrainRequest, ListRequest, SetUpRequest, SignInRequest, SubmitRequest};
pub use restore::{
    MissingRow, RestoreDecided, RestoreDecision, RestoreInfo, RestoreRequest, RestoreSign, RestoreStage,
    RestoreView, SkippedNumbers,
};
pub use said::{FoundView, RemarkView, SaidView, TwinView};
pub use start::{StartProblem, StartView};
pub use view::{
    ApplicationRow, ApplicationView, AuditReport, BacklogView, BooksView, BreakerView, ContractView,
    CountsView, DrainReport, DrainStop, HeadroomView, ImportReport, ProblemView, Problems, QueueItemView,
    QueueRow, ReceiptView, RefusedRow, ReplayReport, SessionView, SetUpReport, StatusView, WarningView,
};
pub use window::{
    CertificateFault, EndpointDoing, EndpointView, HouseView, ModeCause, Rehearsal, StandingView,
    StationEvent, Told, Topic,
};
