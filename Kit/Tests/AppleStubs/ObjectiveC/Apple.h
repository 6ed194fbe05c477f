// The declarations of Apple's frameworks that callers of the kit in Objective-C use, for Scripts/checks/kit-objective-c.
// No compiler has compared them with Apple's.
#pragma once
#pragma clang assume_nonnull begin

typedef signed char BOOL;
#define nil ((id)0)
#define YES ((BOOL)1)
#define NO ((BOOL)0)
typedef long NSInteger;
typedef unsigned long NSUInteger;
#define NS_ENUM(type, name) enum name : type name; enum name : type

__attribute__((objc_root_class))
@interface NSObject
+ (instancetype)alloc;
+ (Class)class;
- (instancetype)init;
- (BOOL)isKindOfClass:(Class)class;
@end

@protocol NSCopying
@end

@interface NSString : NSObject <NSCopying>
@property(readonly) NSUInteger length;
@end

@interface NSNumber : NSObject
+ (NSNumber *)numberWithInt:(int)value;
+ (NSNumber *)numberWithDouble:(double)value;
+ (NSNumber *)numberWithBool:(BOOL)value;
@end

typedef struct {
    unsigned long state;
    id __unsafe_unretained _Nullable *_Nullable itemsPtr;
    unsigned long *_Nullable mutationsPtr;
    unsigned long extra[5];
} NSFastEnumerationState;

@interface NSArray<ObjectType> : NSObject
+ (instancetype)arrayWithObjects:(const ObjectType _Nonnull[_Nullable])objects count:(NSUInteger)count;
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(id __unsafe_unretained _Nullable[_Nonnull])buffer
                                    count:(NSUInteger)count;
@end

@interface NSDictionary<KeyType, ObjectType> : NSObject
+ (instancetype)dictionaryWithObjects:(const ObjectType _Nonnull[_Nullable])objects
                              forKeys:(const KeyType<NSCopying> _Nonnull[_Nullable])keys
                                count:(NSUInteger)count;
- (nullable ObjectType)objectForKeyedSubscript:(KeyType)key;
@end

@interface NSData : NSObject
@end

@interface NSURL : NSObject
+ (nullable instancetype)URLWithString:(NSString *)string;
@end

void NSLog(NSString *format, ...);

// UserNotifications

@interface UNNotification : NSObject
@end

@interface UNNotificationRequest : NSObject
@end

@interface UNNotificationContent : NSObject
@property(readonly) NSString *title;
@end

@interface UNMutableNotificationContent : UNNotificationContent
@property NSString *title;
@end

@interface UNNotificationResponse : NSObject
@end

@interface UNNotificationAttachment : NSObject
@end

typedef NSUInteger UNNotificationPresentationOptions;

@class UNUserNotificationCenter;

@protocol UNUserNotificationCenterDelegate
@optional
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
       willPresentNotification:(UNNotification *)notification
         withCompletionHandler:(void (^)(UNNotificationPresentationOptions options))completionHandler;
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
    didReceiveNotificationResponse:(UNNotificationResponse *)response
             withCompletionHandler:(void (^)(void))completionHandler;
@end

@interface UNUserNotificationCenter : NSObject
@property(class, readonly) UNUserNotificationCenter *currentNotificationCenter;
@property(weak, nullable) id<UNUserNotificationCenterDelegate> delegate;
@end

@interface UNNotificationServiceExtension : NSObject
@end

// UIKit

typedef NS_ENUM(NSUInteger, UIBackgroundFetchResult){
    UIBackgroundFetchResultNewData, UIBackgroundFetchResultNoData, UIBackgroundFetchResultFailed};

@interface UIApplication : NSObject
- (void)registerForRemoteNotifications;
@end

@interface UIResponder : NSObject
@end

@protocol UIApplicationDelegate
@optional
- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(nullable NSDictionary *)launchOptions;
- (void)application:(UIApplication *)application
    didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken;
- (void)application:(UIApplication *)application
    didReceiveRemoteNotification:(NSDictionary *)userInfo
          fetchCompletionHandler:(void (^)(UIBackgroundFetchResult result))completionHandler;
- (void)applicationDidBecomeActive:(UIApplication *)application;
@end

#pragma clang assume_nonnull end
