import Glibc

/// The factor for deadlines in tests.
///
/// A longer deadline does not weaken a test that must never miss it. Under the thread sanitizer everything takes about
/// ten times as long, so deadlines are extended.
public enum TestTimeouts {
    /// 10 if the sanitizer's runtime is loaded in the process, otherwise 1.
    public static let factor = dlsym(nil, "__tsan_init") == nil ? 1 : 10
}
