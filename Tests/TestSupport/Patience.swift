import Glibc

/// How long tests wait for what is to happen in time.
///
/// A deadline that nothing may miss while all is well says the same when it is longer. Under the thread
/// sanitizer everything takes about ten times as long, and these deadlines with it.
public enum Patience {
    /// What such a deadline is multiplied by: 10 where the sanitizer's runtime is in the process, else 1.
    public static let factor = dlsym(nil, "__tsan_init") == nil ? 1 : 10
}
