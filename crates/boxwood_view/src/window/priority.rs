//! The priority of threads whose work may wait for the panels.

/// The nice value of these threads. A thread of the panels, with 0, gets ten times as much of a
/// core as one with 10.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Lowers the priority of this thread, and of those that it starts afterwards.
///
/// This has an effect only on Linux, where each thread has its own priority. A thread cannot raise
/// its priority again without a privilege.
pub(super) fn lower_priority() {
    // Without it, the window works too.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, NICE);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::process::getpriority_process;

    use super::*;

    #[test]
    fn a_thread_and_those_that_it_starts_have_a_lower_priority() {
        let nice = || getpriority_process(None).expect("a thread can ask for its own");
        let before = nice();
        let lowered = std::thread::spawn(move || {
            lower_priority();
            [nice(), std::thread::spawn(nice).join().expect("it does not panic")]
        });
        assert_eq!(lowered.join().expect("it does not panic"), [NICE; 2]);
        assert_eq!(nice(), before);
    }
}
