import Campaigns

/// The exclusive upper bound of a page in a list sorted from newest to oldest: the last id of the previous page.
func keysetBound<Of>(_ before: Identifier<Of>?) -> Int64 {
    before?.rawValue ?? .max
}
