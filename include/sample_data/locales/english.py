"""Locales of English."""

from __future__ import annotations

from sample_data.locales.locale import Locale, cities_of, pairs, words

_US_AREAS = words(
    """
    201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239
    240 248 251 252 253 254 256 260 262 267 269 270 272 276 281 301 302 303 304 305 307 308 309 310
    312 313 314 315 316 317 318 319 320 321 323 325 330 331 334 336 337 339 346 347 351 352 360 361
    385 386 401 402 404 405 406 407 408 409 410 412 413 414 415 417 419 423 424 425 430 432 434 435
    440 442 443 458 469 470 475 478 479 480 484 501 502 503 504 505 507 508 509 510 512 513 515 516
    517 518 520 530 531 534 539 540 541 551 559 561 562 563 567 570 571 573 574 575 580 585 586 601
    602 603 605 606 607 608 609 610 612 614 615 616 617 618 619 620 623 626 628 629 630 631 636 641
    646 650 651 657 660 661 662 667 669 678 681 682
    """
)


LOCALES: dict[str, Locale] = {
    "us": Locale(
        weight=26,
        country="US",
        given=pairs(
            """
            Avery|Avery Marlow|Marlow Jonah|Jonah Tessa|Tessa Corwin|Corwin Delia|Delia
            Emmett|Emmett Farrah|Farrah Graham|Graham Hollis|Hollis Imani|Imani Jasper|Jasper
            Kendra|Kendra Lowell|Lowell Maren|Maren Nolan|Nolan Opal|Opal Preston|Preston
            Quinn|Quinn Rosalind|Rosalind Silas|Silas Thea|Thea Ulysses|Ulysses Vivian|Vivian
            Wesley|Wesley Yvette|Yvette Malik|Malik Shanice|Shanice Diego|Diego Marisol|Marisol
            """
        ),
        family=pairs(
            """
            Ashcombe|Ashcombe Bellweather|Bellweather Cartmill|Cartmill Dunmore|Dunmore
            Ellerby|Ellerby Fairbourne|Fairbourne Garrick|Garrick Hartsell|Hartsell
            Ibbotson|Ibbotson Jessop|Jessop Kettering|Kettering Lockridge|Lockridge
            Mansfield|Mansfield Norcross|Norcross Oakhurst|Oakhurst Pemberley|Pemberley
            Quarles|Quarles Ravenel|Ravenel Stannard|Stannard Thackery|Thackery Underhill|Underhill
            Vickers|Vickers Whitlock|Whitlock Yarrow|Yarrow O'Dell|O'Dell McAllen|McAllen
            Johnson-Reyes|Johnson-Reyes Vargas|Vargas Okafor|Okafor Washburn|Washburn
            """
        ),
        cities=cities_of(
            """
            San Francisco|California|United States
            Austin|Texas|United States
            New York|New York|United States
            Seattle|Washington|United States
            Columbus|Ohio|United States
            Toronto|Ontario|Canada
            Atlanta|Georgia|United States
            """
        ),
        dial=lambda number: (
            f"+1{_US_AREAS[(number // 10000) % len(_US_AREAS)]}555{number % 10000:04d}"
        ),
        language="en",
    ),
    "uk": Locale(
        weight=8,
        country="GB",
        given=pairs(
            """
            Alistair|Alistair Bronwyn|Bronwyn Callum|Callum Dervla|Dervla Eilidh|Eilidh
            Fergus|Fergus Gwen|Gwen Hamish|Hamish Isla|Isla Niamh|Niamh Siobhán|Siobhan Rhys|Rhys
            Zoë|Zoe Chloë|Chloe Seán|Sean
            """
        ),
        family=pairs(
            """
            Ardingly|Ardingly Blackmoor|Blackmoor Cholmondale|Cholmondale Davenant|Davenant
            Entwhistle|Entwhistle Featherby|Featherby Gorsuch|Gorsuch Hebblethwaite|Hebblethwaite
            MacInnes|MacInnes Ní-Bhriain|Ni-Bhriain Penhallow|Penhallow Trevelyn|Trevelyn
            Wrexford|Wrexford O’Hara|O'Hara
            """
        ),
        cities=cities_of(
            """
            London|England|United Kingdom
            Manchester|England|United Kingdom
            Edinburgh|Scotland|United Kingdom
            Dublin|County Dublin|Ireland
            """
        ),
        dial=lambda number: f"+4474{number % 100000000:08d}",
        language="en",
    ),
    "in": Locale(
        weight=34,
        country="IN",
        given=pairs(
            """
            Aarav|Aarav Bhavna|Bhavna Chirag|Chirag Deepika|Deepika Eshwar|Eshwar Farhan|Farhan
            Gayatri|Gayatri Harsh|Harsh Ishita|Ishita Jignesh|Jignesh Kavya|Kavya Lakshman|Lakshman
            Meenal|Meenal Nikhil|Nikhil Omkar|Omkar Pallavi|Pallavi Rajat|Rajat Sneha|Sneha
            Tanvi|Tanvi Uday|Uday Vaishnavi|Vaishnavi Yash|Yash Zoya|Zoya Siddharth|Siddharth
            Anjali|Anjali Rohan|Rohan Priya|Priya Karthik|Karthik Divya|Divya Mohammed|Mohammed
            """
        ),
        family=pairs(
            """
            Agarwal|Agarwal Bhattacharjee|Bhattacharjee Chaturvedi|Chaturvedi Deshmukh|Deshmukh
            Iyengar|Iyengar Jadhav|Jadhav Kulkarni|Kulkarni Mahapatra|Mahapatra Nambiar|Nambiar
            Patwardhan|Patwardhan Qureshi|Qureshi Raghunathan|Raghunathan Srinivasan|Srinivasan
            Thakkar|Thakkar Upadhyay|Upadhyay Venkataraman|Venkataraman Wadhwa|Wadhwa Kumar|Kumar
            Singh|Singh Sharma|Sharma Reddy|Reddy Gupta|Gupta Khan|Khan K|K S|S Das|Das Naidu|Naidu
            Pillai|Pillai
            """
        ),
        cities=cities_of(
            """
            Bengaluru|Karnataka|India
            Mumbai|Maharashtra|India
            Pune|Maharashtra|India
            Hyderabad|Telangana|India
            Gurugram|Haryana|India
            Chennai|Tamil Nadu|India
            Noida|Uttar Pradesh|India
            """
        ),
        dial=lambda number: f"+91{7 + number % 3}{number % 1000000000:09d}",
        language="en",
    ),
}
