//! Alone in its process, since it takes away all file descriptors.
#![allow(clippy::unwrap_used)]

mod scripted;

use holdfast_core::outcome::{Answer, judge};
use holdfast_station::ports::{RecordSystem as _, Sockets};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use scripted::*;

#[tokio::test]
async fn a_machine_without_file_descriptors_does_not_blame_the_system() {
    let server = Scripted::start(|_| Act::Send(committed())).await;
    let client = client(&server.url());
    let before = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(0), ..before }).unwrap();
    let answer = client.deliver(&delivery(), Sockets::Kept).await;
    setrlimit(Resource::Nofile, before).unwrap();
    assert_eq!(answer, Answer::NotAsked);
    let answer = client.deliver(&delivery(), Sockets::Kept).await;
    assert_eq!(judge(&answer, &sent()).word(), "committed");
}
