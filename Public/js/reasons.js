// Explanations of reasons. Others are shown without one.

const explanations = {
  Unregistered: "The app was removed from the device. The push is not retried.",
  ExpiredToken: "The token has expired. The push is not retried.",
  BadDeviceToken: "The token is not valid, or belongs to the other environment.",
  DeviceTokenNotForTopic: "The token belongs to an app with another bundle id.",
  PayloadTooLarge: "The push is larger than Apple allows.",
  TopicDisallowed: "The .p8 key may not send to this bundle id.",
  BadTopic: "The bundle id is not valid.",
  InvalidProviderToken: "Apple does not accept the .p8 key, its key id or the team id.",
  ExpiredProviderToken: "Apple rejected the signature as too old. Check the server’s clock.",
  TooManyRequests: "Apple received too many pushes for one device in a short time.",
  InternalServerError: "Apple had an internal error.",
  ServiceUnavailable: "Apple was temporarily unavailable.",
  "notifications denied": "The recipient has denied notifications.",
  "payload too long": "The push was too large for this recipient.",
  "device removed": "The device was removed after the campaign started.",
  "no credential for this environment": "The app has no .p8 key for the device’s environment.",
  "worker lost": "The worker that sent the push was lost. The push may have arrived.",
  "deadline passed": "Apple did not answer in time. The push may have arrived.",
  "stream reset": "Apple reset the request. The push may have arrived.",
  "connection lost": "The connection to Apple was lost. The push may have arrived.",
};

export function explanation(reason) {
  return Object.hasOwn(explanations, reason) ? explanations[reason] : null;
}
