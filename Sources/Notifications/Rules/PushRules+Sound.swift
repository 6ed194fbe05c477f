import JSON

extension PushRules {
    /// Problems of sounds, in `aps` and in the alert.
    func soundProblems(_ aps: APS) -> [Problem] {
        var problems: [Problem] = []
        switch aps.sound {
        case .named(let name): problems += file(name, at: APS.Key.sound.path)
        case .critical(let sound): problems += critical(sound)
        case nil: break
        }
        if case .dictionary(let alert) = aps.alert, let name = alert.sound {
            problems += file(name, at: Alert.Key.sound.path)
        }
        return problems
    }

    private func critical(_ sound: Sound.CriticalSound) -> [Problem] {
        var problems: [Problem] = []
        if let name = sound.name {
            problems += file(name, at: Sound.CriticalSound.Key.name.path)
        } else {
            problems.append(
                .warning(
                    Sound.CriticalSound.Key.name.path, "missing",
                    "is required: name a sound file, or default"))
        }
        if sound.volume != nil, sound.critical != true {
            problems.append(
                .warning(
                    Sound.CriticalSound.Key.volume.path, "no-effect",
                    "has no effect unless critical is 1"))
        }
        return problems
    }

    /// Apple, `UNNotificationSound`: linear PCM, MA4, µLaw or aLaw in one of three containers.
    private func file(_ name: String, at path: String) -> [Problem] {
        let endings = [".aiff", ".aif", ".wav", ".caf"]
        guard name != Sound.defaultName, !endings.contains(where: { name.lowercased().hasSuffix($0) }) else {
            return []
        }
        return [
            .warning(
                path, "sound-format",
                "is \(JSON.string(name).summary), neither default nor the name of an .aiff, .wav or .caf file: "
                    + "iOS plays only these, with Linear PCM, IMA4, µLaw or aLaw of less than 30 s")
        ]
    }
}

extension Sound {
    /// The system's own sound.
    static let defaultName = "default"
}
