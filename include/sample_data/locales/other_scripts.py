"""Locales of other scripts."""

from __future__ import annotations

from sample_data.locales.locale import Locale, cities_of, pairs

LOCALES: dict[str, Locale] = {
    "cn": Locale(
        weight=4,
        country="CN",
        given=pairs(
            """
            思远|Siyuan 雨桐|Yutong 浩然|Haoran 静怡|Jingyi 子墨|Zimo
            欣妍|Xinyan 俊杰|Junjie 若曦|Ruoxi
            """
        ),
        family=pairs(
            """
            王|Wang 李|Li 欧阳|Ouyang 陈|Chen 司马|Sima 赵|Zhao
            林|Lin 吴|Wu
            """
        ),
        cities=cities_of(
            """
            上海|上海市|中国
            深圳|广东省|中国
            Singapore||Singapore
            Hong Kong||Hong Kong SAR
            """
        ),
        dial=lambda number: f"+86138{number % 100000000:08d}",
        language="zh",
        family_first=True,
    ),
    "jp": Locale(
        weight=2,
        country="JP",
        given=pairs(
            """
            健太|Kenta 美咲|Misaki 翔|Sho 陽菜|Hina 大輔|Daisuke
            結衣|Yui
            """
        ),
        family=pairs(
            """
            佐々木|Sasaki 高橋|Takahashi 中村|Nakamura 小野寺|Onodera
            渡邊|Watanabe
            """
        ),
        cities=cities_of(
            """
            東京都||日本
            大阪市|大阪府|日本
            """
        ),
        dial=lambda number: f"+8190{10000000 + number % 89999999:08d}",
        language="ja",
        family_first=True,
    ),
    "kr": Locale(
        weight=1,
        country="KR",
        given=pairs(
            """
            서연|Seoyeon 민준|Minjun 지우|Jiwoo 하은|Haeun
            """
        ),
        family=pairs(
            """
            김|Kim 이|Lee 박|Park 최|Choi 남궁|Namgung
            """
        ),
        cities=cities_of(
            """
            서울|서울특별시|대한민국
            """
        ),
        dial=lambda number: f"+8210{20000000 + number % 79999999:08d}",
        language="ko",
        family_first=True,
    ),
    "ar": Locale(
        weight=2,
        country="SA",
        given=pairs(
            """
            خالد|Khaled نورة|Noura يوسف|Yousef ليلى|Layla عبدالرحمن|Abdulrahman
            """
        ),
        family=pairs(
            """
            الحربي|Alharbi المنصوري|Almansoori القحطاني|Alqahtani النجار|Alnajjar
            """
        ),
        cities=cities_of(
            """
            الرياض|الرياض|المملكة العربية السعودية
            Dubai|Dubai|United Arab Emirates
            """
        ),
        dial=lambda number: f"+96655{number % 10000000:07d}",
        language="en",
    ),
    "he": Locale(
        weight=1,
        country="IL",
        given=pairs(
            """
            נועה|Noa איתי|Itay שירה|Shira עומר|Omer
            """
        ),
        family=pairs(
            """
            בן-דרור|Ben-Dror אלמוג|Almog שגיא|Sagi
            """
        ),
        cities=cities_of(
            """
            תל אביב|מחוז תל אביב|ישראל
            """
        ),
        dial=lambda number: f"+97252{2000000 + number % 7999999:07d}",
        language="en",
    ),
    "ru": Locale(
        weight=2,
        country="RU",
        given=pairs(
            """
            Андрей|Andrey Ксения|Kseniya Святослав|Svyatoslav Юлия|Yulia
            """
        ),
        family=pairs(
            """
            Щербаковский|Shcherbakovsky Ёлкина|Yolkina Журавлёв|Zhuravlev
            """
        ),
        cities=cities_of(
            """
            Москва||Россия
            Алматы||Казахстан
            """
        ),
        dial=lambda number: f"+7916{number % 10000000:07d}",
        language="ru",
    ),
}
