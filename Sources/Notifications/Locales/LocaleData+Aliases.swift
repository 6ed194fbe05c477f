/// From Unicode's CLDR 47 (`aliases.json`): other spellings of languages and regions, `new=old,older`.
extension LocaleData {
    /// Bokmål is `nb`, as iOS writes it: CLDR treats `no` as its parent, and nobody writes both for different texts.
    static let languageAliases = """
        aa=aar aas=aam ab=abk acn=xia adx=pcr ae=ave aeb=ajt af=afr ak=aka,fat,tw,twi am=amh ami=ais amq=elp an=arg
        aog=myd aou=gio apc=ajp apf=agp aqd=dkl aqt=sap ar=ara,arb as=asm av=ava ay=aym,ayr az=aze,azj azd=nln ba=bak
        bal=bcc bcg=bgm be=bel beb=btb bfy=ppa bg=bul bho=bh,bih bi=bis bik=bcl bir=bic bjp=tgg bm=bam bmf=krm bn=ben
        bnc=lbk bo=bod,tib bpp=nxu br=bre bs=bos bua=bxr bzc=bjq ca=cat cax=xba cbr=nom ce=che ch=cha chm=mhr cir=meg
        cmr=cka co=cos cr=cre,cwd crr=pmk cs=ces,cze cu=chu cv=chv cy=cym,wel da=dan dbt=dwl de=deu,ger del=umu den=xsl
        dev=gav dgl=kzh dif=dit din=dik dmw=mwd,xrq dnj=daf doi=dgo drl=bjd dtd=noo dtp=ktr,kzj,kzt,tdu duz=guv dv=div
        dwu=duj dz=adp,dzo dze=djl ebk=bkb ee=ewe el=ell,gre ema=uok emx=rmr en=eng enl=leg eo=epo es=spa esg=ggo
        et=ekk,est eu=baq,eus eza=izi fa=fas,per,pes fa-AF=drw,prs,tnf fbl=bhk ff=fuc,ful fi=fin fil=tgl,tl fj=fij
        fo=fao fr=fra,fre fy=fry ga=gle gal=ilw gba=gya gd=gla gdj=kvs gl=glg gll=nbx gn=grn,gug gon=gno grb=gbo gtu=ggr
        gu=guj,prp gv=glv gvr=ggn ha=hau hai=hdn he=heb,iw hi=hin hle=sca hmn=hea ho=hmo hr=hrv,scr ht=hat hu=hun
        huw=pmc hy=arm,hye hz=her ia=ina iba=blg,snb id=in,ind ie=ile ig=ibo ii=iii ik=esk,ipk ilm=ill io=ido is=ice,isl
        isk=sgl it=ita itd=tid iu=ike,iku ja=jpn jal=hrr jbk=mgx jgk=jar jkm=kpp jrb=aju jv=jav,jw ka=geo,kat kak=tne
        kdz=ncp kg=kng,kon ki=kik kj=kua kjh=zkb kk=kaz kl=kal kln=spy km=khm kmb=smd kml=kgh kn=kan ko=kor kok=gom
        kpe=xpe kr=kau,knc kru=kxl ks=kas ksp=lak ktz=aue ku=kmr,kur kv=kom,kpv kw=cor kwv=koj kxr=pat ky=kir
        kzk=drr,gli la=lat lah=pnb lb=ltz lcq=ppr lg=lug li=lim ln=lin lo=lao lrr=yma lt=lit lu=lub luy=bxk lv=lav,lvs
        man=emk,mnk mg=mlg,plt mh=mah mi=mao,mri mk=mac,mkd ml=mal mn=drh,khk,mon mom=cjr mr=mar mry=mst,myt
        ms=may,msa,zsm mt=mlt mtm=ymt mwr=dhd my=bur,mya na=nau nb=no,nob,nor nbr=nns ncq=kgd nd=nde ne=nep,npi ng=ndo
        ngt=llo ngv=nnx njz=dap nl=dut,nld nn=nno nol=wit nr=nbl nrk=nlr nru=nbf nun=ayx nv=nav nvo=baz nwo=wiw ny=nya
        nyc=gti oc=oci oj=ojg,oji ola=thw om=gaz,orm opa=ibi or=ori,ory os=oss oyb=jeg,skk,thx pa=pan phr=pmu pi=pli
        pij=coy,nts pl=pol plu=kgm prt=pry ps=pbu,pus pt=por pub=puz qu=que,quz quh=cqu raj=mup raq=lii ras=tie
        rki=ccq,ybd rm=roh rmx=lmm rn=run ro=mo,mol,ron,rum rom=rmy ru=rus rw=kin sa=cls,san sc=src,srd scv=zir sd=snd
        se=sme sg=sag sgd=sul si=sin sk=slk,slo sl=slv sm=smo sn=sna snz=asd so=som sq=alb,als,sqi sr=scc,srp
        sr-Latn=hbs,sh sr-ME=cnr srx=him ss=ssw st=sot su=sun suj=xsj sv=swe sw=swa,swh sw-CD=swc syr=cld ta=tam taj=tsf
        tdf=kgc tdg=tmk te=tel tg=tgk th=tha ti=tir tk=tuk tmh=ttq tn=tsn to=ton tpn=tpw tpo=thc tr=tur ts=tso tt=tat
        tvd=kxe twm=tkk ty=tah tyj=tmp ug=uig uk=ukr ulw=sum umi=szd ur=urd uth=dud uz=uzb,uzn vaj=gfx,mwj,oun ve=ven
        vi=vie vo=vol wa=wln waw=xkh weo=tlw wgb=wgw wnn=mnt wny=gbc wo=wol wro=unp xch=cmk xh=xho xnt=mof xny=nad
        yam=kwq yi=ji,ydd,yid ynq=yen yo=yor yrm=yiy yug=yuu za=zha,zyb zap=zai zh=chi,cmn,zho zkd=kdv zko=xss zom=yos
        zu=zul zza=diq
        """

    /// By the first two subtags. Microsoft's `zh-CHS` is not in CLDR.
    static let prefixAliases = """
        ami=i-ami bnn=i-bnn hak=i-hak hak=zh-hakka hsn=zh-xiang hyw=hy-arevmda jbo=art-lojban lb=i-lux nb=no-bok
        nb=no-bokmal nn=no-nyn nn=no-nynorsk nv=i-navajo pwn=i-pwn ssy=aa-saaho tao=i-tao tay=i-tay tlh=i-klingon
        tsu=i-tsu xtg=cel-gaulish zh=zh-guoyu zh-Hans=zh-chs zh-Hant=zh-cht
        """

    /// Three letters and three digits of ISO 3166, and former countries.
    static let regionAliases = """
        AA=958,AAA AC=ASC AD=020,AND AE=784,ARE AF=004,AFG AG=028,ATG AI=660,AIA AL=008,ALB AM=051,ARM AO=024,AGO
        AQ=010,ATA,NQ AR=032,ARG AS=016,ASM AT=040,AUT AU=036,AUS AW=533,ABW AX=248,ALA AZ=031,AZE BA=070,BIH BB=052,BRB
        BD=050,BGD BE=056,BEL BF=854,BFA,HV BG=100,BGR BH=048,BHR BI=108,BDI BJ=204,BEN,DY BL=652,BLM BM=060,BMU
        BN=096,BRN BO=068,BOL BQ=535,BES BR=076,BRA BS=044,BHS BT=064,BTN BV=074,BVT BW=072,BWA BY=112,BLR BZ=084,BLZ
        CA=124,CAN CC=166,CCK CD=180,COD,ZAR,ZR CF=140,CAF CG=178,COG CH=756,CHE CI=384,CIV CK=184,COK CL=152,CHL
        CM=120,CMR CN=156,CHN CO=170,COL CP=CPT CR=188,CRI CU=192,CUB CV=132,CPV CW=531,CUW CX=162,CXR CY=196,CYP
        CZ=203,CZE DE=276,278,280,DD,DDR,DEU DG=DGA DJ=262,DJI DK=208,DNK DM=212,DMA DO=214,DOM DZ=012,DZA EC=218,ECU
        EE=233,EST EG=818,EGY EH=732,ESH ER=232,ERI ES=724,ESP ET=230,231,ETH EU=967,QU,QUU FI=246,FIN FJ=242,FJI
        FK=238,FLK FM=583,FSM FO=234,FRO FR=249,250,FRA,FX,FXX GA=266,GAB GB=826,GBR,UK GD=308,GRD GE=268,GEO GF=254,GUF
        GG=831,GGY GH=288,GHA GI=292,GIB GL=304,GRL GM=270,GMB GN=324,GIN GP=312,GLP GQ=226,GNQ GR=300,GRC GS=239,SGS
        GT=320,GTM GU=316,GUM GW=624,GNB GY=328,GUY HK=344,HKG HM=334,HMD HN=340,HND HR=191,HRV HT=332,HTI HU=348,HUN
        ID=360,IDN IE=372,IRL IL=376,ISR IM=833,IMN IN=356,IND IO=086,IOT IQ=368,IRQ IR=364,IRN IS=352,ISL IT=380,ITA
        JE=832,JEY JM=388,JAM JO=400,JOR JP=392,JPN KE=404,KEN KG=417,KGZ KH=116,KHM KI=296,CT,KIR KM=174,COM KN=659,KNA
        KP=408,PRK KR=410,KOR KW=414,KWT KY=136,CYM KZ=398,KAZ LA=418,LAO LB=422,LBN LC=662,LCA LI=438,LIE LK=144,LKA
        LR=430,LBR LS=426,LSO LT=440,LTU LU=442,LUX LV=428,LVA LY=434,LBY MA=504,MAR MC=492,MCO MD=498,MDA ME=499,MNE
        MF=663,MAF MG=450,MDG MH=584,MHL MK=807,MKD ML=466,MLI MM=104,BU,BUR,MMR MN=496,MNG MO=446,MAC MP=580,MNP
        MQ=474,MTQ MR=478,MRT MS=500,MSR MT=470,MLT MU=480,MUS MV=462,MDV MW=454,MWI MX=484,MEX MY=458,MYS MZ=508,MOZ
        NA=516,NAM NC=540,NCL NE=562,NER NF=574,NFK NG=566,NGA NI=558,NIC NL=528,NLD NO=578,NOR NP=524,NPL NR=520,NRU
        NU=570,NIU NZ=554,NZL OM=512,OMN PA=591,PAN,PZ PE=604,PER PF=258,PYF PG=598,PNG PH=608,PHL PK=586,PAK PL=616,POL
        PM=666,SPM PN=612,PCN PR=630,PRI PS=275,PSE PT=620,PRT PW=585,PLW PY=600,PRY QA=634,QAT QM=959,QMM QN=960,QNN
        QP=962,QPP QQ=963,QQQ QR=964,QRR QS=965,QSS QT=966,QTT QV=968,QVV QW=969,QWW QX=970,QXX QY=971,QYY QZ=972,QZZ
        RE=638,REU RO=642,ROU RS=688,SRB RU=643,RUS RW=646,RWA SA=682,SAU SB=090,SLB SC=690,SYC SD=729,736,SDN
        SE=752,SWE SG=702,SGP SH=654,SHN SI=705,SVN SJ=744,SJM SK=703,SVK SL=694,SLE SM=674,SMR SN=686,SEN SO=706,SOM
        SR=740,SUR SS=728,SSD ST=678,STP SV=222,SLV SX=534,SXM SY=760,SYR SZ=748,SWZ TA=TAA TC=796,TCA TD=148,TCD
        TF=260,ATF TG=768,TGO TH=764,THA TJ=762,TJK TK=772,TKL TL=626,TLS,TMP,TP TM=795,TKM TN=788,TUN TO=776,TON
        TR=792,TUR TT=780,TTO TV=798,TUV TW=158,TWN TZ=834,TZA UA=804,UKR UG=800,UGA UM=581,JT,MI,PU,UMI,WK US=840,USA
        UY=858,URY UZ=860,UZB VA=336,VAT VC=670,VCT VE=862,VEN VG=092,VGB VI=850,VIR VN=704,VD,VNM VU=548,NH,VUT
        WF=876,WLF WS=882,WSM XA=973,XAA XB=974,XBB XC=975,XCC XD=976,XDD XE=977,XEE XF=978,XFF XG=979,XGG XH=980,XHH
        XI=981,XII XJ=982,XJJ XK=983,XKK XL=984,XLL XM=985,XMM XN=986,XNN XO=987,XOO XP=988,XPP XQ=989,XQQ XR=990,XRR
        XS=991,XSS XT=992,XTT XU=993,XUU XV=994,XVV XW=995,XWW XX=996,XXX XY=997,XYY XZ=998,XZZ
        YE=720,886,887,YD,YEM,YMD YT=175,MYT ZA=710,ZAF ZM=894,ZMB ZW=716,RH,ZWE ZZ=999,ZZZ
        """

    /// Former countries with several successors: a language's own region is chosen, or else the first.
    static let dividedRegions = """
        062=034,143 172=RU,AM,AZ,BY,GE,KG,KZ,MD,TJ,TM,UA,UZ 200=CZ,SK 530=CW,SX,BQ 532=CW,SX,BQ 536=SA,IQ
        582=FM,MH,MP,PW 810=RU,AM,AZ,BY,EE,GE,KZ,KG,LV,LT,MD,TJ,TM,UA,UZ 830=JE,GG 890=RS,ME,SI,HR,MK,BA 891=RS,ME
        AN=CW,SX,BQ ANT=CW,SX,BQ CS=RS,ME FQ=AQ,TF NT=SA,IQ NTZ=SA,IQ PC=FM,MH,MP,PW SCG=RS,ME
        SU=RU,AM,AZ,BY,EE,GE,KZ,KG,LV,LT,MD,TJ,TM,UA,UZ SUN=RU,AM,AZ,BY,EE,GE,KZ,KG,LV,LT,MD,TJ,TM,UA,UZ YU=RS,ME
        YUG=RS,ME
        """
}
