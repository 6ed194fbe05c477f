-- Locales and time zones have one form, which the program gives them where they enter (LocaleTag, ZoneName). What is
-- stored already gets it here, as far as phones send it; other spellings heal at the device's next registration.

-- The locales of devices: letters by their case, current languages and regions, and the script of languages that are
-- written in several.
CREATE FUNCTION canonical_locale(locale text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN (
    WITH parts AS (
        SELECT regexp_match(
            replace(split_part(split_part(locale, '@', 1), '.', 1), '_', '-'),
            '^([A-Za-z]{2,3})(?:-([A-Za-z]{4}))?(?:-([A-Za-z]{2}|[0-9]{3}))?$') AS p
    ), spelled AS (
        SELECT lower(p[1]) AS language, initcap(p[2]) AS script, upper(p[3]) AS region FROM parts
    ), current AS (
        SELECT coalesce(l.language, s.language) AS language, coalesce(s.script, l.script) AS script,
            coalesce(r.region, s.region) AS region
        FROM spelled s
        LEFT JOIN (VALUES
            ('iw', 'he', NULL), ('in', 'id', NULL), ('ji', 'yi', NULL), ('no', 'nb', NULL), ('tl', 'fil', NULL),
            ('mo', 'ro', NULL), ('jw', 'jv', NULL), ('sh', 'sr', 'Latn'), ('cmn', 'zh', NULL), ('zho', 'zh', NULL),
            ('chi', 'zh', NULL), ('eng', 'en', NULL), ('deu', 'de', NULL), ('fra', 'fr', NULL), ('spa', 'es', NULL),
            ('jpn', 'ja', NULL), ('kor', 'ko', NULL)
        ) AS l (old, language, script) ON l.old = s.language
        LEFT JOIN (VALUES ('UK', 'GB'), ('BU', 'MM'), ('DD', 'DE'), ('SU', 'RU'), ('YU', 'RS'), ('CS', 'RS'), ('840', 'US'))
            AS r (old, region) ON r.old = s.region
    ), usual AS (
        SELECT c.*, u.script AS standard, e.script AS regional
        FROM current c
        LEFT JOIN (VALUES
            ('az', 'Latn'), ('bs', 'Latn'), ('ff', 'Latn'), ('ha', 'Latn'), ('kk', 'Cyrl'), ('ks', 'Arab'),
            ('ku', 'Latn'), ('ky', 'Cyrl'), ('mn', 'Cyrl'), ('pa', 'Guru'), ('sd', 'Arab'), ('sr', 'Cyrl'),
            ('tg', 'Cyrl'), ('ug', 'Arab'), ('uz', 'Latn'), ('yue', 'Hant'), ('zh', 'Hans')
        ) AS u (language, script) USING (language)
        LEFT JOIN (VALUES
            ('az', 'Arab', '{IQ,IR}'::text[]), ('az', 'Cyrl', '{RU}'), ('ha', 'Arab', '{CM,SD}'),
            ('kk', 'Arab', '{AF,CN,IR,MN}'), ('ku', 'Arab', '{LB}'), ('ky', 'Arab', '{CN}'), ('ky', 'Latn', '{TR}'),
            ('mn', 'Mong', '{CN}'), ('pa', 'Arab', '{PK}'), ('sd', 'Deva', '{IN}'), ('sr', 'Latn', '{ME,RO,TR}'),
            ('tg', 'Arab', '{PK}'), ('ug', 'Cyrl', '{KZ,MN}'), ('uz', 'Arab', '{AF}'), ('uz', 'Cyrl', '{CN}'),
            ('yue', 'Hans', '{CN}'),
            ('zh', 'Hant', '{AU,BN,GB,GF,HK,ID,MO,PA,PF,PH,SR,TH,TW,US,VN}')
        ) AS e (language, script, regions) ON e.language = c.language AND c.region = ANY (e.regions)
    )
    SELECT coalesce(
        concat_ws('-', language,
            CASE WHEN standard IS NOT NULL THEN coalesce(script, regional, standard)
                WHEN script = 'Latn' AND language IN ('en', 'de', 'fr', 'es', 'it', 'pt', 'nl') THEN NULL
                ELSE script END,
            region),
        locale)
    FROM usual
);

UPDATE devices d SET locale = c.canonical
FROM (
    SELECT locale, canonical_locale(locale) AS canonical FROM (SELECT DISTINCT locale FROM devices) AS l
    WHERE locale IS NOT NULL
) AS c
WHERE d.locale = c.locale AND c.canonical NOT IN (c.locale, '');

UPDATE apps SET default_locale = canonical_locale(default_locale)
WHERE canonical_locale(default_locale) NOT IN (default_locale, '');

DROP FUNCTION canonical_locale;

-- Other names of time zones, as ZoneName has them.
CREATE TABLE other_zone_names (other text PRIMARY KEY, name text NOT NULL);
INSERT INTO other_zone_names (other, name) VALUES
    ('Africa/Asmera', 'Africa/Asmara'), ('Africa/Timbuktu', 'Africa/Bamako'), ('Egypt', 'Africa/Cairo'),
    ('Libya', 'Africa/Tripoli'), ('America/Atka', 'America/Adak'), ('US/Aleutian', 'America/Adak'),
    ('US/Alaska', 'America/Anchorage'), ('America/Buenos_Aires', 'America/Argentina/Buenos_Aires'),
    ('America/Argentina/ComodRivadavia', 'America/Argentina/Catamarca'),
    ('America/Catamarca', 'America/Argentina/Catamarca'), ('America/Cordoba', 'America/Argentina/Cordoba'),
    ('America/Rosario', 'America/Argentina/Cordoba'), ('America/Jujuy', 'America/Argentina/Jujuy'),
    ('America/Mendoza', 'America/Argentina/Mendoza'), ('America/Coral_Harbour', 'America/Atikokan'),
    ('CST6CDT', 'America/Chicago'), ('US/Central', 'America/Chicago'), ('America/Shiprock', 'America/Denver'),
    ('MST7MDT', 'America/Denver'), ('Navajo', 'America/Denver'), ('US/Mountain', 'America/Denver'),
    ('US/Michigan', 'America/Detroit'), ('America/Yellowknife', 'America/Edmonton'),
    ('Canada/Mountain', 'America/Edmonton'), ('Canada/Atlantic', 'America/Halifax'), ('Cuba', 'America/Havana'),
    ('America/Fort_Wayne', 'America/Indiana/Indianapolis'),
    ('America/Indianapolis', 'America/Indiana/Indianapolis'), ('US/East-Indiana', 'America/Indiana/Indianapolis'),
    ('America/Knox_IN', 'America/Indiana/Knox'), ('US/Indiana-Starke', 'America/Indiana/Knox'),
    ('America/Pangnirtung', 'America/Iqaluit'), ('Jamaica', 'America/Jamaica'),
    ('America/Louisville', 'America/Kentucky/Louisville'), ('PST8PDT', 'America/Los_Angeles'),
    ('US/Pacific', 'America/Los_Angeles'), ('US/Pacific-New', 'America/Los_Angeles'),
    ('Brazil/West', 'America/Manaus'), ('Mexico/BajaSur', 'America/Mazatlan'),
    ('Mexico/General', 'America/Mexico_City'), ('EST5EDT', 'America/New_York'), ('US/Eastern', 'America/New_York'),
    ('Brazil/DeNoronha', 'America/Noronha'), ('America/Godthab', 'America/Nuuk'), ('EST', 'America/Panama'),
    ('MST', 'America/Phoenix'), ('US/Arizona', 'America/Phoenix'), ('Canada/East-Saskatchewan', 'America/Regina'),
    ('Canada/Saskatchewan', 'America/Regina'), ('America/Porto_Acre', 'America/Rio_Branco'),
    ('Brazil/Acre', 'America/Rio_Branco'), ('Chile/Continental', 'America/Santiago'),
    ('Brazil/East', 'America/Sao_Paulo'), ('Canada/Newfoundland', 'America/St_Johns'),
    ('America/Virgin', 'America/St_Thomas'), ('America/Ensenada', 'America/Tijuana'),
    ('America/Santa_Isabel', 'America/Tijuana'), ('Mexico/BajaNorte', 'America/Tijuana'),
    ('America/Montreal', 'America/Toronto'), ('America/Nipigon', 'America/Toronto'),
    ('America/Thunder_Bay', 'America/Toronto'), ('Canada/Eastern', 'America/Toronto'),
    ('Canada/Pacific', 'America/Vancouver'), ('Canada/Yukon', 'America/Whitehorse'),
    ('America/Rainy_River', 'America/Winnipeg'), ('Canada/Central', 'America/Winnipeg'),
    ('Atlantic/Jan_Mayen', 'Arctic/Longyearbyen'), ('Asia/Ashkhabad', 'Asia/Ashgabat'),
    ('Asia/Dacca', 'Asia/Dhaka'), ('Asia/Saigon', 'Asia/Ho_Chi_Minh'), ('Hongkong', 'Asia/Hong_Kong'),
    ('Asia/Tel_Aviv', 'Asia/Jerusalem'), ('Israel', 'Asia/Jerusalem'), ('Asia/Katmandu', 'Asia/Kathmandu'),
    ('Asia/Calcutta', 'Asia/Kolkata'), ('Asia/Macao', 'Asia/Macau'), ('Asia/Ujung_Pandang', 'Asia/Makassar'),
    ('Europe/Nicosia', 'Asia/Nicosia'), ('ROK', 'Asia/Seoul'), ('Asia/Chongqing', 'Asia/Shanghai'),
    ('Asia/Chungking', 'Asia/Shanghai'), ('Asia/Harbin', 'Asia/Shanghai'), ('PRC', 'Asia/Shanghai'),
    ('Singapore', 'Asia/Singapore'), ('ROC', 'Asia/Taipei'), ('Iran', 'Asia/Tehran'),
    ('Asia/Thimbu', 'Asia/Thimphu'), ('Japan', 'Asia/Tokyo'), ('Asia/Choibalsan', 'Asia/Ulaanbaatar'),
    ('Asia/Ulan_Bator', 'Asia/Ulaanbaatar'), ('Asia/Kashgar', 'Asia/Urumqi'), ('Asia/Rangoon', 'Asia/Yangon'),
    ('Atlantic/Faeroe', 'Atlantic/Faroe'), ('Iceland', 'Atlantic/Reykjavik'),
    ('Australia/South', 'Australia/Adelaide'), ('Australia/Queensland', 'Australia/Brisbane'),
    ('Australia/Yancowinna', 'Australia/Broken_Hill'), ('Australia/North', 'Australia/Darwin'),
    ('Australia/Currie', 'Australia/Hobart'), ('Australia/Tasmania', 'Australia/Hobart'),
    ('Australia/LHI', 'Australia/Lord_Howe'), ('Australia/Victoria', 'Australia/Melbourne'),
    ('Australia/West', 'Australia/Perth'), ('Australia/ACT', 'Australia/Sydney'),
    ('Australia/Canberra', 'Australia/Sydney'), ('Australia/NSW', 'Australia/Sydney'), ('EET', 'Europe/Athens'),
    ('CET', 'Europe/Brussels'), ('MET', 'Europe/Brussels'), ('Europe/Tiraspol', 'Europe/Chisinau'),
    ('Eire', 'Europe/Dublin'), ('Asia/Istanbul', 'Europe/Istanbul'), ('Turkey', 'Europe/Istanbul'),
    ('Europe/Kiev', 'Europe/Kyiv'), ('Europe/Uzhgorod', 'Europe/Kyiv'), ('Europe/Zaporozhye', 'Europe/Kyiv'),
    ('Portugal', 'Europe/Lisbon'), ('WET', 'Europe/Lisbon'), ('Europe/Belfast', 'Europe/London'),
    ('GB', 'Europe/London'), ('GB-Eire', 'Europe/London'), ('W-SU', 'Europe/Moscow'), ('Poland', 'Europe/Warsaw'),
    ('Antarctica/South_Pole', 'Pacific/Auckland'), ('NZ', 'Pacific/Auckland'), ('NZ-CHAT', 'Pacific/Chatham'),
    ('Pacific/Truk', 'Pacific/Chuuk'), ('Pacific/Yap', 'Pacific/Chuuk'), ('Chile/EasterIsland', 'Pacific/Easter'),
    ('HST', 'Pacific/Honolulu'), ('Pacific/Johnston', 'Pacific/Honolulu'), ('US/Hawaii', 'Pacific/Honolulu'),
    ('Pacific/Enderbury', 'Pacific/Kanton'), ('Kwajalein', 'Pacific/Kwajalein'),
    ('Pacific/Samoa', 'Pacific/Pago_Pago'), ('US/Samoa', 'Pacific/Pago_Pago'),
    ('Pacific/Ponape', 'Pacific/Pohnpei'), ('Etc/GMT', 'UTC'), ('Etc/GMT+0', 'UTC'), ('Etc/GMT-0', 'UTC'),
    ('Etc/GMT0', 'UTC'), ('Etc/Greenwich', 'UTC'), ('Etc/UCT', 'UTC'), ('Etc/UTC', 'UTC'),
    ('Etc/Universal', 'UTC'), ('Etc/Zulu', 'UTC'), ('GMT', 'UTC'), ('GMT+0', 'UTC'), ('GMT-0', 'UTC'),
    ('GMT0', 'UTC'), ('Greenwich', 'UTC'), ('UCT', 'UTC'), ('Universal', 'UTC'), ('Zulu', 'UTC');

UPDATE devices d SET time_zone = z.name FROM other_zone_names z WHERE z.other = d.time_zone;
UPDATE apps a SET default_time_zone = z.name FROM other_zone_names z WHERE z.other = a.default_time_zone;
UPDATE campaigns c SET schedule = jsonb_set(c.schedule::jsonb, '{time_zone}', to_jsonb(z.name))::json
FROM other_zone_names z WHERE z.other = c.schedule ->> 'time_zone';

DROP TABLE other_zone_names;
