import ArgumentParser
import Belfry
import Crypto

@main
enum Main {
    static func main() async {
        OpenSSLLifetime.untilTheProcessIsGone()
        await Belfry.main()
    }
}
