/// Finds the word that was probably meant.
enum Spelling {
    /// More slips than these are another word.
    private static let maximumDistance = 2

    /// The candidate nearest to `word`; nil when none is near. Of two equally near the first one.
    static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let word = Array(word.lowercased())
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(word, Array(candidate.lowercased()))
            // In a short word two slips leave nothing of it.
            guard distance <= min(maximumDistance, word.count / 2), distance < best?.distance ?? .max else { continue }
            best = (candidate, distance)
        }
        return best?.candidate
    }

    /// ", did you mean …?" or nothing.
    static func suggestion(for word: String, among candidates: some Sequence<String>) -> String {
        nearest(to: word, among: candidates).map { "; did you mean \($0)?" } ?? ""
    }

    /// Letters to insert, leave out, change or swap with their neighbour (optimal string alignment).
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var best = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
