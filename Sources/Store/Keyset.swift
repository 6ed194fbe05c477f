import Campaigns

/// The upper bound of a page in a list from the newest to the oldest: the last id of the page before, exclusive.
func keysetBound<Of>(_ before: Identifier<Of>?) -> Int64 {
    before?.rawValue ?? .max
}
