/// From Unicode's CLDR 47 (`likelySubtags.json`): the script in which a language is usually written.
extension LocaleData {
    /// Languages that are written in several scripts: their tags show the script.
    static let severalScripts = """
        az bs ff ha hak iu kk ks ku ky lzz mn mni nan pa pnt sat sd shi sr tg ug unr uz vai yue zh
        """

    /// The script of languages, each with the region where most of its speakers live.
    static let likelyScripts = """
        Arab=apc-SY,ar-EG,bal-PK,bgn-PK,ckb-IQ,fa-IR,ks-IN,lrc-IR,mzn-IR,ps-AF,sd-PK,sdh-IR
        Arab=skr-PK,trw-PK,ug-CN,ur-PK Armn=hy-AM Avst=ae-IR Beng=as-IN,bn-BD,mni-IN,unr-IN Cakm=ccp-BD
        Cans=cr-CA,csw-CA,iu-CA,oj-CA Cher=chr-US Copt=cop-EG
        Cyrl=ab-GE,av-RU,ba-RU,be-BY,bg-BG,ce-RU,cu-RU,cv-RU,kaa-UZ,kk-KZ,kv-RU,ky-KG
        Cyrl=mdf-RU,mk-MK,mn-MN,myv-RU,os-GE,ru-RU,sah-RU,sr-RS,tg-TJ,tt-RU,tyv-RU,uk-UA
        Deva=bgc-IN,bho-IN,brx-IN,doi-IN,hi-IN,kok-IN,mai-IN,mr-IN,ne-NP,raj-IN,sa-IN,xnr-IN
        Ethi=am-ET,byn-ER,gez-ET,ti-ET,tig-ER,wal-ET Geor=ka-GE Grek=el-GR,pnt-GR Gujr=gu-IN Guru=pa-IN
        Hans=hak-CN,nan-CN,zh-CN Hant=yue-HK Hebr=he-IL,yi-UA Hmnp=hnj-US Jpan=ja-JP Khmr=km-KH Knda=kn-IN Kore=ko-KR
        Laoo=lo-LA Latn=aa-ET,af-ZA,agq-CM,ak-GH,an-ES,ann-NG,arn-CL,asa-TZ,ast-ES,ay-BO,az-AZ,bas-CM
        Latn=bem-ZM,bew-ID,bez-TZ,bi-VU,blo-BJ,bm-ML,br-FR,bs-BA,bss-CM,ca-ES,cad-US,cch-NG
        Latn=ceb-PH,cgg-UG,ch-GU,cho-US,cic-US,co-FR,cs-CZ,cy-GB,da-DK,dav-KE,de-DE,dje-NE
        Latn=dsb-DE,dua-CM,dyo-SN,ebu-KE,ee-GH,en-US,eo-001,es-ES,et-EE,eu-ES,ewo-CM,ff-SN
        Latn=fi-FI,fil-PH,fj-FJ,fo-FO,fr-FR,frr-DE,fur-IT,fy-NL,ga-IE,gaa-GH,gd-GB,gl-ES
        Latn=gn-PY,gsw-CH,guz-KE,gv-IM,ha-NG,haw-US,ho-PG,hr-HR,hsb-DE,ht-HT,hu-HU,hz-NA
        Latn=ia-001,id-ID,ie-EE,ig-NG,ik-US,io-001,is-IS,it-IT,jbo-001,jgo-CM,jmc-TZ,jv-ID
        Latn=kab-DZ,kaj-NG,kam-KE,kcg-NG,kde-TZ,kea-CV,ken-CM,kg-CD,kgp-BR,khq-ML,ki-KE,kj-NA
        Latn=kkj-CM,kl-GL,kln-KE,kpe-LR,kr-NG,ksb-TZ,ksf-CM,ksh-DE,ku-TR,kw-GB,kxv-IN,la-VA
        Latn=lag-TZ,lb-LU,lg-UG,li-NL,lij-IT,lkt-US,lld-IT,lmo-IT,ln-CD,lt-LT,ltg-LV,lu-CD
        Latn=luo-KE,luy-KE,lv-LV,lzz-TR,mas-KE,mer-KE,mfe-MU,mg-MG,mgh-MZ,mgo-CM,mh-MH,mhn-IT
        Latn=mi-NZ,mic-CA,moh-CA,ms-MY,mt-MT,mua-CM,mus-US,na-NR,naq-NA,nb-NO,nd-ZW,nds-DE
        Latn=ng-NA,nl-NL,nmg-CM,nn-NO,nnh-CM,nr-ZA,nso-ZA,nus-SS,nv-US,ny-MW,nyn-UG,oc-FR
        Latn=om-ET,pap-CW,pcm-NG,pis-SB,pl-PL,prg-PL,pt-BR,qu-PE,quc-GT,rif-MA,rm-CH,rn-BI
        Latn=ro-RO,rof-TZ,rw-RW,rwk-TZ,saq-KE,sbp-TZ,sc-IT,scn-IT,se-NO,seh-MZ,ses-ML,sg-CF
        Latn=sid-ET,sk-SK,sl-SI,sm-WS,sma-SE,smj-SE,smn-FI,sms-FI,sn-ZW,so-SO,sq-AL,ss-ZA
        Latn=ssy-ER,st-ZA,su-ID,sv-SE,sw-TZ,szl-PL,teo-UG,tk-TM,tn-ZA,to-TO,tok-001,tpi-PG
        Latn=tr-TR,trv-TW,ts-ZA,twq-NE,ty-PF,tzm-MA,und-US,uz-UZ,ve-ZA,vec-IT,vi-VN,vmw-MZ
        Latn=vo-001,vun-TZ,wa-BE,wae-CH,wbp-AU,wo-SN,xh-ZA,xog-UG,yav-CM,yo-NG,yrl-BR,za-CN Latn=zu-ZA Mlym=ml-IN
        Mymr=my-MM,shn-MM Nkoo=nqo-GN Olck=sat-IN Orya=or-IN Osge=osa-US Rohg=rhg-MM Sinh=pi-IN,si-LK Syrc=syr-IQ
        Taml=ta-IN Tavt=blt-VN Telu=te-IN Tfng=shi-MA,zgh-MA Thaa=dv-MV Thai=th-TH Tibt=bo-CN,dz-BT Vaii=vai-LR
        Yiii=ii-CN
        """

    /// Regions in which a language has another script.
    static let scriptsByRegion = """
        az-Arab=IQ,IR az-Cyrl=RU ha-Arab=CM,SD hak-Hant=TW kk-Arab=AF,CN,IR,MN ku-Arab=LB ky-Arab=CN ky-Latn=TR
        lzz-Geor=GE mn-Mong=CN nan-Hant=TW pa-Arab=PK pnt-Cyrl=RU pnt-Latn=TR sd-Deva=IN sr-Latn=ME,RO,TR tg-Arab=PK
        ug-Cyrl=KZ,MN unr-Deva=NP uz-Arab=AF uz-Cyrl=CN yue-Hans=CN
        zh-Hant=AU,BN,GB,GF,HK,ID,MO,PA,PF,PH,SR,TH,TW,US,VN
        """

    /// The regions of scripts that are not a language's usual one.
    static let likelyRegions = """
        az-Arab-IR ff-Adlm-GN hak-Hant-TW kk-Arab-CN ku-Arab-IQ ku-Yezi-GE ky-Arab-CN ky-Latn-TR lzz-Geor-GE
        mn-Mong-CN nan-Hant-TW pa-Arab-PK pnt-Cyrl-RU pnt-Latn-TR sd-Deva-IN sd-Khoj-IN sd-Sind-IN tg-Arab-PK
        ug-Cyrl-KZ unr-Deva-NP uz-Arab-AF yue-Hans-CN zh-Bopo-TW zh-Hanb-TW zh-Hant-TW
        """
}
