import Administration
import Campaigns
import Testing

@Suite struct GrantsTests {
    private let shop = App.ID(rawValue: 1)
    private let news = App.ID(rawValue: 2)

    @Test func rolesAddUp() {
        let grants = Grants([RoleAssignment(.viewer), RoleAssignment(.sender, in: shop)])
        #expect(grants.permissions(in: shop).contains(.campaignsSend))
        #expect(grants.permissions(in: news) == Role.viewer.permissions)
        #expect(grants.permissions(in: nil) == Role.viewer.permissions)
        #expect(grants.apps(with: .campaignsSend) == [shop])
        #expect(grants.apps(with: .appsRead) == nil)
    }

    @Test func roleInOneAppHidesTheOthers() {
        let grants = Grants([RoleAssignment(.admin, in: shop)])
        #expect(grants.sees(shop) && !grants.sees(news))
        #expect(grants.permissions(in: news) == [] && grants.permissions(in: nil) == [])
        #expect(grants.hasAnywhere(.keys))
    }

    @Test func withoutARoleNothingIsSeen() {
        let grants = Grants([])
        #expect(!grants.sees(shop) && !grants.hasAnywhere(.appsRead) && grants.apps(with: .appsRead) == [])
    }

    @Test func grantsAreWithinOthersOnlyIfEveryPermissionIs() {
        let everywhere = Grants([RoleAssignment(.admin)])
        let inShop = Grants([RoleAssignment(.admin, in: shop)])
        #expect(inShop.isWithin(everywhere) && !everywhere.isWithin(inShop))
        #expect(inShop.isWithin(inShop) && !Grants([RoleAssignment(.viewer, in: news)]).isWithin(inShop))
        #expect(Grants([RoleAssignment(.marketer, in: shop)]).isWithin(Grants([RoleAssignment(.sender)])))
        #expect(!Grants([RoleAssignment(.developer, in: shop)]).isWithin(Grants([RoleAssignment(.sender)])))
    }

    /// Sending, exporting people and managing keys are not part of another permission.
    @Test func onlyTheNamedRolesSendExportAndManageKeys() {
        func roles(_ permission: Permission) -> [Role] { Role.allCases.filter { $0.permissions.contains(permission) } }
        #expect(roles(.campaignsSend) == [.sender, .admin])
        #expect(roles(.devicesExport) == [.analyst, .admin])
        #expect(roles(.devicesTokens) == [.admin])
        #expect(roles(.keys) == [.developer, .admin])
        #expect(roles(.users) == [.admin] && roles(.auditRead) == [.admin])
        #expect(Role.admin.permissions == Set(Permission.allCases))
    }
}
