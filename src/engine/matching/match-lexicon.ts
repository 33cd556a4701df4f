// Words in product texts other than the model itself: what they mean, and which can be ignored.

export const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''))

/** Brands as written in texts, without case and accents, with the catalogue's name of the manufacturer. */
export const BRANDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    apple: 'apple', dell: 'dell', hp: 'hp', hewlett: 'hp', packard: 'hp', hpe: 'hp', lenovo: 'lenovo',
    microsoft: 'microsoft', samsung: 'samsung', google: 'google', sony: 'sony', huawei: 'huawei', acer: 'acer',
    asus: 'asus', fairphone: 'fairphone', nothing: 'nothing', skullcandy: 'skullcandy', alienware: 'dell',
    xiaomi: 'xiaomi', lg: 'lg', aoc: 'aoc', benq: 'benq', eizo: 'eizo', philips: 'philips', iiyama: 'iiyama',
    viewsonic: 'viewsonic', msi: 'msi', oneplus: 'oneplus', oppo: 'oppo', motorola: 'motorola', nokia: 'nokia',
    honor: 'honor', realme: 'realme', toshiba: 'toshiba', dynabook: 'dynabook', fujitsu: 'fujitsu', razer: 'razer',
    bose: 'bose', jabra: 'jabra', logitech: 'logitech', belkin: 'belkin', anker: 'anker', spigen: 'spigen',
    nintendo: 'nintendo', panasonic: 'panasonic', medion: 'medion', gigabyte: 'gigabyte', amazon: 'amazon',
    sennheiser: 'sennheiser', jbl: 'jbl', beats: 'beats', shiftphone: 'shift', targus: 'targus', otterbox: 'otterbox',
    sam: 'samsung', sams: 'samsung', len: 'lenovo', ms: 'microsoft', ugreen: 'ugreen', hama: 'hama',
    lnv: 'lenovo', goog: 'google', apl: 'apple', msft: 'microsoft', seagate: 'seagate', sandisk: 'sandisk', wd: 'wd',
    crucial: 'crucial', kensington: 'kensington', wacom: 'wacom', hyperx: 'hyperx',
  }),
) // prettier-ignore

/** A brand field may name the product line: "Surface", "ThinkPad". */
export const BRAND_BY_PRODUCT_LINE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    iphone: 'apple', ipad: 'apple', macbook: 'apple', mac: 'apple', thinkpad: 'lenovo', ideapad: 'lenovo',
    thinkvision: 'lenovo', thinkbook: 'lenovo', surface: 'microsoft', xbox: 'microsoft', galaxy: 'samsung',
    pixel: 'google', playstation: 'sony', latitude: 'dell', xps: 'dell', elitebook: 'hp', probook: 'hp', zbook: 'hp',
  }),
) // prettier-ignore

/** The manufacturer's name is also the family's name, so the text has to contain it. */
export const BRANDS_THAT_NAME_A_FAMILY = words('fairphone nothing')

export const TYPE_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    laptop: 'laptop', laptops: 'laptop', notebook: 'laptop', notebooks: 'laptop', ultrabook: 'laptop',
    portatil: 'laptop', portatile: 'laptop', monitor: 'monitor', monitore: 'monitor', moniteur: 'monitor',
    smartphone: 'mobile', smartphones: 'mobile', handy: 'mobile', mobiltelefon: 'mobile', movil: 'mobile',
    cellulare: 'mobile', tablet: 'tablet', tablette: 'tablet', tableta: 'tablet', konsole: 'gaming_console',
    headphones: 'headphone', kopfhorer: 'headphone', casque: 'headphone',
    auriculares: 'headphone', ecouteurs: 'headphone', cuffie: 'headphone',
  }),
) // prettier-ignore

/** The end of "Spielkonsole" or "Schullaptop" gives the type; `surfacelaptop` is a product line. */
const COMPOUND = /^(?!surface)[a-z]{4,}(laptop|notebook|konsole|smartphone)$/

/** The type of device that a word names; undefined for other words. */
export const typeOfWord = (word: string): string | undefined => TYPE_WORDS.get(COMPOUND.exec(word)?.[1] ?? word)

/** Words that do not distinguish models. Other words of letters only are ignored too, unless listed elsewhere. */
export const STOP_WORDS = words(`
  pc pcs computer rechner ordinateur ordenador computador portable portables phone telefon telephone telefono display
  displays bildschirm ecran pantalla schermo screen touchscreen laptop inch and und et y  with mit avec con the der die
  das le la les el los de del di da du ohne for series serie modell model modelo modele modello convertible mobile
  workstation system energy star fhd qhd uhd wqhd wuxga wqxga wxga hd hdr dreamcolor usbc webcam conferencing
  collaboration curved portable wide palm rest report retina ssd nvme ram hdd emmc ips led oled lcd edition education ee
  version neu new neuf nuevo nuovo gebraucht used occasion usado usato refurbished renewed generaluberholt reconditionne
  reacondicionado ricondizionato wie black white silver grey gray blue green red gold pink purple
  yellow schwarz weiss silber grau blau grun rot rosa lila gelb noir blanc argent gris bleu vert rouge or rose violet
  negro blanco plata azul verde rojo oro dorado nero bianco argento grigio blu rosso viola mitternacht midnight minuit
  medianoche mezzanotte polarstern starlight space spacegrau titan titanio natural natur graphite graphit sim
  esim unlocked simlockfrei debloque entsperrt libre sbloccato wlan wifi bluetooth qwertz qwerty azerty deutsch german
  deutsche english french francais spanish espanol italian italiano layout bundle set miete rental rent leihgerat grade
  inkl incl including inklusive im in on top zustand gut sehr garantie warranty garantia garanzia intel core processor
  prozessor cpu gpu vpro windows win os dos macos ios android chromeos adjustable tilt height non thunderbolt ports port
  nits fast high end business office study home gamer id sku art nr nummer ref dev pool item prod product device asset
  produit producto prodotto gerat like comme como come neuwertig neuwertige neuwertiger neuwertiges brandneu ovp
  einwandfrei hervorragend perfekt akzeptabel excellent ottimo ottime buono bueno
`) // prettier-ignore

/** A line or family that is not the model's own means another model, even if the catalogue does not contain it. */
export const LINE_WORDS = words(`
  pro max plus air mini se ultra fe lite note edge fold flip tab book watch buds xl neo go studio duo hub carbon nano
  yoga extreme slim rugged detachable chromebook enterprise x360 aero firefly fury power create fortis elite elitebook
  probook zbook elitedesk prodesk eliteone proone elitex thinkcentre thinkstation thinkpad thinkbook thinkvision ideapad
  legion latitude precision inspiron vostro xps optiplex alienware wyse imac macbook ipad iphone ipod airpods homepod
  watch mac galaxy pixel surface xbox playstation switch spectre envy omen victus pavilion zenbook vivobook swift aspire
  travelmate lite zoom active prime power fusion razr redmi poco mi find reno nord moto xperia odyssey viewfinity
  smart dragonfly folio zhan engage oculus quest vision cinema  elitedisplay prodisplay kids magic
  fan sport turbo flex creator gaming tuf rog strix proart predator nitro digital slate stream

  headphone neckband stick cmf sad twist rollable titanium specialedition transcend
  wing style velvet tiny tower sff micro zboook matebook matepad mate nova fire kindle lumia evo
`) // prettier-ignore

/** After a number, typing errors in these words are not corrected, because another grade may be meant. */
export const GRADES: readonly string[] = ['pro', 'plus', 'mini', 'max']

/** Features shared by several models; they distinguish two models only if the catalogue has both. */
export const OPTIONAL_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cellular: 'cellular', lte: 'cellular', '4g': 'cellular', '5g': '5g', touch: 'touch', amd: 'amd', ryzen: 'amd',
  }),
) // prettier-ignore

/** Variants of one model for which the catalogue has separate sheets. */
export const VARIANT_WORDS = words('nostand heightstand alcantara metal')

/** A text that begins with one of these words names a monitor, or a spare screen for a device. */
export const SCREENS = words('display screen bildschirm ecran pantalla schermo')
