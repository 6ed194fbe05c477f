import Notifications

/// The names of days and months in a language, for `date`. Other languages use the English names, with a warning when
/// the template is saved.
struct LiquidDateNames: Equatable {
    /// From Sunday.
    let weekdays: [String]
    let shortWeekdays: [String]
    let months: [String]
    let shortMonths: [String]

    /// Nil where the names of `locale`'s language are not known.
    init?(locale: String) {
        guard let tag = try? LocaleTag(locale), let names = Self.known[tag.language] else { return nil }
        self = names
    }

    static let english = LiquidDateNames(
        "Sunday Monday Tuesday Wednesday Thursday Friday Saturday", "Sun Mon Tue Wed Thu Fri Sat",
        "January February March April May June July August September October November December",
        "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")

    private init(_ weekdays: String, _ shortWeekdays: String, _ months: String, _ shortMonths: String) {
        func names(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
        self.weekdays = names(weekdays)
        self.shortWeekdays = names(shortWeekdays)
        self.months = names(months)
        self.shortMonths = names(shortMonths)
    }

    private static let numbered = (1...12).map { "\($0)月" }.joined(separator: " ")
    private static let numberedInKorean = (1...12).map { "\($0)월" }.joined(separator: " ")
    private static let chinese = LiquidDateNames(
        "星期日 星期一 星期二 星期三 星期四 星期五 星期六", "周日 周一 周二 周三 周四 周五 周六",
        "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月", numbered)

    /// From Unicode's CLDR, in the form used with a day.
    private static let known: [String: LiquidDateNames] = [
        "en": english, "zh": chinese,
        "ja": LiquidDateNames("日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日", "日 月 火 水 木 金 土", numbered, numbered),
        "ko": LiquidDateNames(
            "일요일 월요일 화요일 수요일 목요일 금요일 토요일", "일 월 화 수 목 금 토", numberedInKorean, numberedInKorean),
        "de": LiquidDateNames(
            "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag", "So. Mo. Di. Mi. Do. Fr. Sa.",
            "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
            "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
        "fr": LiquidDateNames(
            "dimanche lundi mardi mercredi jeudi vendredi samedi", "dim. lun. mar. mer. jeu. ven. sam.",
            "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
            "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
        "es": LiquidDateNames(
            "domingo lunes martes miércoles jueves viernes sábado", "dom lun mar mié jue vie sáb",
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
            "ene feb mar abr may jun jul ago sept oct nov dic"),
        "it": LiquidDateNames(
            "domenica lunedì martedì mercoledì giovedì venerdì sabato", "dom lun mar mer gio ven sab",
            "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
            "gen feb mar apr mag giu lug ago set ott nov dic"),
        "pt": LiquidDateNames(
            "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado",
            "dom. seg. ter. qua. qui. sex. sáb.",
            "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
            "jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez."),
        "nl": LiquidDateNames(
            "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag", "zo ma di wo do vr za",
            "januari februari maart april mei juni juli augustus september oktober november december",
            "jan feb mrt apr mei jun jul aug sep okt nov dec"),
        "ru": LiquidDateNames(
            "воскресенье понедельник вторник среда четверг пятница суббота", "Вс Пн Вт Ср Чт Пт Сб",
            "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
            "янв. февр. марта апр. мая июня июля авг. сент. окт. нояб. дек."),
        "sv": LiquidDateNames(
            "söndag måndag tisdag onsdag torsdag fredag lördag", "sön mån tis ons tors fre lör",
            "januari februari mars april maj juni juli augusti september oktober november december",
            "jan. feb. mars apr. maj juni juli aug. sep. okt. nov. dec."),
        "tr": LiquidDateNames(
            "Pazar Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi", "Paz Pzt Sal Çar Per Cum Cmt",
            "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
            "Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara"),
    ]
}
