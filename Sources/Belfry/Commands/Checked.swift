import ArgumentParser
import JSON
import Notifications

/// What an argument stands for; a refusal is said in its own words, with the argument's name in front.
func checked<Value>(_ name: String, _ make: () throws -> Value) throws -> Value {
    do {
        return try make()
    } catch {
        throw ValidationError("--\(name): \((error as? InvalidValue)?.message ?? "\(error)")")
    }
}
