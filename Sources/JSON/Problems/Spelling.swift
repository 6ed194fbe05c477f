/// Finds the known name that is closest to a misspelled one, such as `time-senstive`, `thread_id` or `mutableContent`.
public enum Spelling {
    /// The longest word that is compared, in bytes.
    private static let longest = 40

    /// Nil if no candidate is similar enough.
    public static func nearest(to word: String, among candidates: [String]) -> String? {
        guard word.utf8.count <= longest else { return nil }
        let folded = fold(word)
        let distances = candidates.map { (word: $0, distance: distance(fold($0), folded)) }
        return distances.filter { $0.distance <= tolerance(folded.count) }.min { $0.distance < $1.distance }?.word
    }

    /// The end of a sentence about `word`: "; did you mean …?", or nothing.
    public static func suggestion(for word: String, among candidates: [String]) -> Message {
        nearest(to: word, among: candidates).map(suggestion) ?? ""
    }

    public static func suggestion(_ meant: String) -> Message { "; did you mean \(meant)?" }

    /// The word in lower case without separators.
    private static func fold(_ word: String) -> [UInt8] {
        word.lowercased().utf8.filter { !"-_ ".utf8.contains($0) }
    }

    /// The most differences for a word of this length: in a short word, few differences make another word.
    private static func tolerance(_ count: Int) -> Int {
        count < 5 ? 0 : count < 8 ? 1 : 2
    }

    /// The fewest letters to add, remove, change or swap with their neighbour (optimal string alignment distance).
    private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for (row, mine) in first.enumerated() {
            var current = [row + 1]
            for (column, theirs) in second.enumerated() {
                var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (mine == theirs ? 0 : 1))
                if row > 0, column > 0, mine == second[column - 1], theirs == first[row - 1] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }
}
