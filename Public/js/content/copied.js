// What a campaign copies of a template. Later changes of the template do not reach the campaign.

/** The text: the `content` of a campaign. */
export function copiedText({ payload, variants, media }) {
  return { payload, ...(variants && { variants }), ...(media && { media }) };
}

/** The text and the settings that the template has, as members of a campaign. */
export function copiedMembers({ payload, variants, media, ...settings }) {
  return { content: copiedText({ payload, variants, media }), ...settings };
}
