/// A person who can sign in.
public enum User {
    public typealias ID = Identifier<User>
}

/// A sign-in in a browser.
public enum Session {
    public typealias ID = Identifier<Session>
}
