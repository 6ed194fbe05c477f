// A key for the simulator of the demo, which accepts every one. Apple would not know it.

import { addKey } from "../setup/credential.js";

const teamID = "SIMULATED1";
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** Browsers make keys only on localhost and over TLS. */
export const canMakeKey = () => Boolean(globalThis.crypto?.subtle);

/** Makes a key and stores it, as if it had been dropped. Returns what `addKey` does. */
export async function addSimulatorKey() {
  const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey));
  const lines = btoa(String.fromCharCode(...bytes)).match(/.{1,64}/g);
  const p8 = ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", ""].join("\n");
  const random = [...crypto.getRandomValues(new Uint8Array(7))].map((byte) => letters[byte % letters.length]).join("");
  return addKey({ keyID: `SIM${random}`, teamID, p8, environments: ["production", "development"] });
}
