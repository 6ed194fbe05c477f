// Namespaces for ids. Their records are in `Store`.

/// An iOS app that Belfry sends for.
public enum App {
    public typealias ID = Identifier<App>
}

/// One token of one installation of an app.
public enum Device {
    public typealias ID = Identifier<Device>
}

/// Content that campaigns share, with all of its versions.
public enum Template {
    public typealias ID = Identifier<Template>
}

/// An image, a sound or a video that notifications show.
public enum Media {
    public typealias ID = Identifier<Media>
}

/// A campaign, which people edit and send.
public enum Campaign {
    public typealias ID = Identifier<Campaign>
    public typealias Key = AppScopedID<Campaign>
}

/// A period of an app's global control group.
public enum ControlPeriod {
    public typealias ID = Identifier<ControlPeriod>
}

/// Recipients of a run who are due at the same time.
public enum Batch {
    public typealias ID = Identifier<Batch>
    public typealias Key = AppScopedID<Batch>
    /// Recipients of one batch at most.
    public static let maximumSize = 5_000
}
