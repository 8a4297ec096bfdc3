//! The first connections of a process. Alone in its file, so that nothing in this process has opened one before.

#![allow(clippy::unwrap_used)]

mod city;

use std::sync::Barrier;

use holdfast_store::Store;

const AT_ONCE: usize = 16;

#[test]
fn of_many_first_stores_of_a_process_each_opens_under_its_own_key() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let together = Barrier::new(AT_ONCE);
    std::thread::scope(|scope| {
        for n in 0..AT_ONCE {
            let (together, data) = (&together, folder.path().join(n.to_string()));
            scope.spawn(move || {
                together.wait();
                drop(Store::create(&data, city::new_store()).unwrap());
            });
        }
    });
}
