/// Chooses the targets of a request that has more devices than it may have.
public enum PushTargetLimit {
    /// The targets to leave out, so that at most `limit` devices remain; `devices` is the number of devices of each.
    /// The targets with the fewest devices come first, so one with very many takes nobody's place.
    public static func excess(of devices: [Int], limit: Int) -> Set<Int> {
        guard devices.reduce(0, +) > limit else { return [] }
        var room = limit
        var excess: Set<Int> = []
        for target in devices.indices.sorted(by: { (devices[$0], $0) < (devices[$1], $1) }) {
            if devices[target] <= room { room -= devices[target] } else { excess.insert(target) }
        }
        return excess
    }
}
