/// The time zones of Unicode's CLDR 47 (`timezone.xml`), which follow IANA's release 2025b, under IANA's present names.
///
/// Other names of a zone are those that CLDR considers the same place. IANA's `backward` also merges different places
/// whose clocks have agreed since 1970: a person who chooses Europe/Oslo does not mean Europe/Berlin.
extension ZoneName {
    static let places = """
        Africa: Abidjan Accra Addis_Ababa Algiers Asmara Bamako Bangui Banjul Bissau Blantyre Brazzaville Bujumbura
        Africa: Cairo Casablanca Ceuta Conakry Dakar Dar_es_Salaam Djibouti Douala El_Aaiun Freetown Gaborone Harare
        Africa: Johannesburg Juba Kampala Khartoum Kigali Kinshasa Lagos Libreville Lome Luanda Lubumbashi Lusaka
        Africa: Malabo Maputo Maseru Mbabane Mogadishu Monrovia Nairobi Ndjamena Niamey Nouakchott Ouagadougou
        Africa: Porto-Novo Sao_Tome Tripoli Tunis Windhoek
        America: Adak Anchorage Anguilla Antigua Araguaina Argentina/Buenos_Aires Argentina/Catamarca
        America: Argentina/Cordoba Argentina/Jujuy Argentina/La_Rioja Argentina/Mendoza Argentina/Rio_Gallegos
        America: Argentina/Salta Argentina/San_Juan Argentina/San_Luis Argentina/Tucuman Argentina/Ushuaia Aruba
        America: Asuncion Atikokan Bahia Bahia_Banderas Barbados Belem Belize Blanc-Sablon Boa_Vista Bogota Boise
        America: Cambridge_Bay Campo_Grande Cancun Caracas Cayenne Cayman Chicago Chihuahua Ciudad_Juarez Costa_Rica
        America: Coyhaique Creston Cuiaba Curacao Danmarkshavn Dawson Dawson_Creek Denver Detroit Dominica Edmonton
        America: Eirunepe El_Salvador Fort_Nelson Fortaleza Glace_Bay Goose_Bay Grand_Turk Grenada Guadeloupe
        America: Guatemala Guayaquil Guyana Halifax Havana Hermosillo Indiana/Indianapolis Indiana/Knox
        America: Indiana/Marengo Indiana/Petersburg Indiana/Tell_City Indiana/Vevay Indiana/Vincennes Indiana/Winamac
        America: Inuvik Iqaluit Jamaica Juneau Kentucky/Louisville Kentucky/Monticello Kralendijk La_Paz Lima
        America: Los_Angeles Lower_Princes Maceio Managua Manaus Marigot Martinique Matamoros Mazatlan Menominee
        America: Merida Metlakatla Mexico_City Miquelon Moncton Monterrey Montevideo Montserrat Nassau New_York Nome
        America: Noronha North_Dakota/Beulah North_Dakota/Center North_Dakota/New_Salem Nuuk Ojinaga Panama Paramaribo
        America: Phoenix Port-au-Prince Port_of_Spain Porto_Velho Puerto_Rico Punta_Arenas Rankin_Inlet Recife Regina
        America: Resolute Rio_Branco Santarem Santiago Santo_Domingo Sao_Paulo Scoresbysund Sitka St_Barthelemy
        America: St_Johns St_Kitts St_Lucia St_Thomas St_Vincent Swift_Current Tegucigalpa Thule Tijuana Toronto
        America: Tortola Vancouver Whitehorse Winnipeg Yakutat
        Antarctica: Casey Davis DumontDUrville Macquarie Mawson McMurdo Palmer Rothera Syowa Troll Vostok
        Arctic: Longyearbyen
        Asia: Aden Almaty Amman Anadyr Aqtau Aqtobe Ashgabat Atyrau Baghdad Bahrain Baku Bangkok Barnaul Beirut
        Asia: Bishkek Brunei Chita Colombo Damascus Dhaka Dili Dubai Dushanbe Famagusta Gaza Hebron Ho_Chi_Minh
        Asia: Hong_Kong Hovd Irkutsk Jakarta Jayapura Jerusalem Kabul Kamchatka Karachi Kathmandu Khandyga Kolkata
        Asia: Krasnoyarsk Kuala_Lumpur Kuching Kuwait Macau Magadan Makassar Manila Muscat Nicosia Novokuznetsk
        Asia: Novosibirsk Omsk Oral Phnom_Penh Pontianak Pyongyang Qatar Qostanay Qyzylorda Riyadh Sakhalin Samarkand
        Asia: Seoul Shanghai Singapore Srednekolymsk Taipei Tashkent Tbilisi Tehran Thimphu Tokyo Tomsk Ulaanbaatar
        Asia: Urumqi Ust-Nera Vientiane Vladivostok Yakutsk Yangon Yekaterinburg Yerevan
        Atlantic: Azores Bermuda Canary Cape_Verde Faroe Madeira Reykjavik South_Georgia St_Helena Stanley
        Australia: Adelaide Brisbane Broken_Hill Darwin Eucla Hobart Lindeman Lord_Howe Melbourne Perth Sydney
        Europe: Amsterdam Andorra Astrakhan Athens Belgrade Berlin Bratislava Brussels Bucharest Budapest Busingen
        Europe: Chisinau Copenhagen Dublin Gibraltar Guernsey Helsinki Isle_of_Man Istanbul Jersey Kaliningrad Kirov
        Europe: Kyiv Lisbon Ljubljana London Luxembourg Madrid Malta Mariehamn Minsk Monaco Moscow Oslo Paris
        Europe: Podgorica Prague Riga Rome Samara San_Marino Sarajevo Saratov Simferopol Skopje Sofia Stockholm
        Europe: Tallinn Tirane Ulyanovsk Vaduz Vatican Vienna Vilnius Volgograd Warsaw Zagreb Zurich
        Indian: Antananarivo Chagos Christmas Cocos Comoro Kerguelen Mahe Maldives Mauritius Mayotte Reunion
        Pacific: Apia Auckland Bougainville Chatham Chuuk Easter Efate Fakaofo Fiji Funafuti Galapagos Gambier
        Pacific: Guadalcanal Guam Honolulu Kanton Kiritimati Kosrae Kwajalein Majuro Marquesas Midway Nauru Niue
        Pacific: Norfolk Noumea Pago_Pago Palau Pitcairn Pohnpei Port_Moresby Rarotonga Saipan Tahiti Tarawa Tongatapu
        Pacific: Wake Wallis
        """

    static let otherNames = """
        Africa/Asmara=Africa/Asmera Africa/Bamako=Africa/Timbuktu Africa/Cairo=Egypt Africa/Tripoli=Libya
        America/Adak=America/Atka,US/Aleutian America/Anchorage=US/Alaska
        America/Argentina/Buenos_Aires=America/Buenos_Aires
        America/Argentina/Catamarca=America/Argentina/ComodRivadavia,America/Catamarca
        America/Argentina/Cordoba=America/Cordoba,America/Rosario America/Argentina/Jujuy=America/Jujuy
        America/Argentina/Mendoza=America/Mendoza America/Atikokan=America/Coral_Harbour
        America/Chicago=CST6CDT,US/Central America/Denver=America/Shiprock,MST7MDT,Navajo,US/Mountain
        America/Detroit=US/Michigan America/Edmonton=America/Yellowknife,Canada/Mountain
        America/Halifax=Canada/Atlantic America/Havana=Cuba
        America/Indiana/Indianapolis=America/Fort_Wayne,America/Indianapolis,US/East-Indiana
        America/Indiana/Knox=America/Knox_IN,US/Indiana-Starke America/Iqaluit=America/Pangnirtung
        America/Jamaica=Jamaica America/Kentucky/Louisville=America/Louisville
        America/Los_Angeles=PST8PDT,US/Pacific,US/Pacific-New America/Manaus=Brazil/West
        America/Mazatlan=Mexico/BajaSur America/Mexico_City=Mexico/General America/New_York=EST5EDT,US/Eastern
        America/Noronha=Brazil/DeNoronha America/Nuuk=America/Godthab America/Panama=EST
        America/Phoenix=MST,US/Arizona America/Regina=Canada/East-Saskatchewan,Canada/Saskatchewan
        America/Rio_Branco=America/Porto_Acre,Brazil/Acre America/Santiago=Chile/Continental
        America/Sao_Paulo=Brazil/East America/St_Johns=Canada/Newfoundland America/St_Thomas=America/Virgin
        America/Tijuana=America/Ensenada,America/Santa_Isabel,Mexico/BajaNorte
        America/Toronto=America/Montreal,America/Nipigon,America/Thunder_Bay,Canada/Eastern
        America/Vancouver=Canada/Pacific America/Whitehorse=Canada/Yukon
        America/Winnipeg=America/Rainy_River,Canada/Central Arctic/Longyearbyen=Atlantic/Jan_Mayen
        Asia/Ashgabat=Asia/Ashkhabad Asia/Dhaka=Asia/Dacca Asia/Ho_Chi_Minh=Asia/Saigon Asia/Hong_Kong=Hongkong
        Asia/Jerusalem=Asia/Tel_Aviv,Israel Asia/Kathmandu=Asia/Katmandu Asia/Kolkata=Asia/Calcutta
        Asia/Macau=Asia/Macao Asia/Makassar=Asia/Ujung_Pandang Asia/Nicosia=Europe/Nicosia Asia/Seoul=ROK
        Asia/Shanghai=Asia/Chongqing,Asia/Chungking,Asia/Harbin,PRC Asia/Singapore=Singapore Asia/Taipei=ROC
        Asia/Tehran=Iran Asia/Thimphu=Asia/Thimbu Asia/Tokyo=Japan Asia/Ulaanbaatar=Asia/Choibalsan,Asia/Ulan_Bator
        Asia/Urumqi=Asia/Kashgar Asia/Yangon=Asia/Rangoon Atlantic/Faroe=Atlantic/Faeroe Atlantic/Reykjavik=Iceland
        Australia/Adelaide=Australia/South Australia/Brisbane=Australia/Queensland
        Australia/Broken_Hill=Australia/Yancowinna Australia/Darwin=Australia/North
        Australia/Hobart=Australia/Currie,Australia/Tasmania Australia/Lord_Howe=Australia/LHI
        Australia/Melbourne=Australia/Victoria Australia/Perth=Australia/West
        Australia/Sydney=Australia/ACT,Australia/Canberra,Australia/NSW Europe/Athens=EET Europe/Brussels=CET,MET
        Europe/Chisinau=Europe/Tiraspol Europe/Dublin=Eire Europe/Istanbul=Asia/Istanbul,Turkey
        Europe/Kyiv=Europe/Kiev,Europe/Uzhgorod,Europe/Zaporozhye Europe/Lisbon=Portugal,WET
        Europe/London=Europe/Belfast,GB,GB-Eire Europe/Moscow=W-SU Europe/Warsaw=Poland
        Pacific/Auckland=Antarctica/South_Pole,NZ Pacific/Chatham=NZ-CHAT Pacific/Chuuk=Pacific/Truk,Pacific/Yap
        Pacific/Easter=Chile/EasterIsland Pacific/Honolulu=HST,Pacific/Johnston,US/Hawaii
        Pacific/Kanton=Pacific/Enderbury Pacific/Kwajalein=Kwajalein Pacific/Pago_Pago=Pacific/Samoa,US/Samoa
        Pacific/Pohnpei=Pacific/Ponape
        UTC=Etc/GMT,Etc/GMT+0,Etc/GMT-0,Etc/GMT0,Etc/Greenwich,Etc/UCT,Etc/UTC,Etc/Universal,Etc/Zulu,GMT,GMT+0,GMT-0,GMT0,Greenwich,UCT,Universal,Zulu
        """
}
