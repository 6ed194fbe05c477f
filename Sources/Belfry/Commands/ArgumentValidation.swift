import ArgumentParser
import JSON
import Notifications

/// Makes a value from an argument. An error keeps its own message, with the argument's name in front.
func validated<Value>(_ name: String, _ make: () throws -> Value) throws -> Value {
    do {
        return try make()
    } catch {
        throw ValidationError("--\(name): \((error as? InvalidValue)?.message.description ?? "\(error)")")
    }
}
