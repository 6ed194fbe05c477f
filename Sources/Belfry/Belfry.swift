@main
struct Belfry {
    static func main() {}
}
