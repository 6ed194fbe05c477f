// The same as the app in Swift, for an app in Objective-C.
@import BelfryKit;
@import UIKit;
@import UserNotifications;

@interface BLTAppDelegate : UIResponder <UIApplicationDelegate, UNUserNotificationCenterDelegate>
@end

@implementation BLTAppDelegate

- (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)launchOptions {
    UNUserNotificationCenter.currentNotificationCenter.delegate = self;
    NSURL *api = [NSURL URLWithString:@"http://localhost:8080/v1/apps/1"];
    [BLFBelfry startWithAPI:api
             publishableKey:@"bfp_…"
                   appGroup:@"group.com.example.bells"
              keychainGroup:nil
               messageIDKey:nil];
    [application registerForRemoteNotifications];
    [BLFBelfry readDiagnosticsWithHandler:^(NSString *diagnostic) {
        NSLog(@"%@", diagnostic);
    }];
    return YES;
}

- (void)application:(UIApplication *)application didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)token {
    [BLFBelfry registerToken:token];
}

- (void)application:(UIApplication *)application
    didReceiveRemoteNotification:(NSDictionary *)userInfo
          fetchCompletionHandler:(void (^)(UIBackgroundFetchResult))completionHandler {
    NSDictionary<NSString *, id> *members = [BLFBelfry receiveUserInfo:userInfo];
    completionHandler(members ? UIBackgroundFetchResultNewData : UIBackgroundFetchResultNoData);
}

- (void)applicationDidBecomeActive:(UIApplication *)application {
    [BLFBelfry refreshReserving:10];
    [BLFBelfry recordInfluencedOpensWithCompletionHandler:^{}];
}

- (void)userNotificationCenter:(UNUserNotificationCenter *)center
       willPresentNotification:(UNNotification *)notification
         withCompletionHandler:(void (^)(UNNotificationPresentationOptions))completionHandler {
    completionHandler([BLFBelfry willPresentNotification:notification]);
}

- (void)userNotificationCenter:(UNUserNotificationCenter *)center
    didReceiveNotificationResponse:(UNNotificationResponse *)response
             withCompletionHandler:(void (^)(void))completionHandler {
    BLFHandling *handling = [BLFBelfry handleResponse:response];
    switch (handling.kind) {
        case BLFHandlingKindOpened:
            [self follow:handling.custom[@"link"]];
            break;
        case BLFHandlingKindReply:
            NSLog(@"The reply to %@ has %lu characters.", handling.identifier, (unsigned long)handling.text.length);
            break;
        case BLFHandlingKindAction:
            if (handling.link) NSLog(@"The link of the button is %@.", handling.link);
            break;
        case BLFHandlingKindDismissed:
        case BLFHandlingKindRepeated:
        case BLFHandlingKindForeign:
            break;
    }
    completionHandler();
}

/// A member of a push can have any type.
- (void)follow:(id)link {
    if ([link isKindOfClass:NSString.class]) NSLog(@"The link is %@.", link);
}

- (void)person:(NSString *)user logsInWithSignature:(NSString *)signature {
    [BLFBelfry logInUser:user signature:signature person:@{@"attributes" : @{@"plan" : @"gold"}}];
    [BLFBelfry requestAuthorizationWithCompletionHandler:^(BOOL isGranted) {
        NSLog(@"Notifications are %@.", isGranted ? @"allowed" : @"denied");
    }];
    [BLFBelfry topicsWithNameOfAll:@"News and offers"
                 completionHandler:^(NSArray<BLFTopic *> *topics) {
                     for (BLFTopic *topic in topics) NSLog(@"%@: %@", topic.name, topic.isOptedOut ? @"off" : @"on");
                 }];
    [BLFBelfry setOptedOut:YES ofTopic:@"offers"];
    [BLFBelfry track:@"purchase" value:@9.5 properties:@{@"tower" : @"north", @"seats" : @1}];
    [BLFBelfry convert:@"purchase" value:@9.5];
}

@end
