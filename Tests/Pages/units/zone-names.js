const { presentZone, zoneNames } = await import("/js/zone-names.js");

return {
  "the names that browsers still use are the present ones": () =>
    equal(["Asia/Calcutta", "Europe/Kiev", "Europe/Berlin"].map(presentZone), [
      "Asia/Kolkata",
      "Europe/Kyiv",
      "Europe/Berlin",
    ]),
  "each zone is offered once, in order": () => {
    const names = zoneNames();
    equal([names.includes("Asia/Kolkata"), names.includes("Asia/Calcutta")], [true, false]);
    equal(names, [...new Set(names)].sort());
  },
};
