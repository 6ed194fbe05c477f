import ArgumentParser
import Belfry

@main
enum Main {
    static func main() async { await Belfry.main() }
}
