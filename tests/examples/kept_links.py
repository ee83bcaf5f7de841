"""Links that people have kept: each must open for ever, so none of these texts is ever made anew."""

FIRST_PLAN_1 = (
    "eNrFVUtv2zAM_i86e4WTLgWaww7rYbus6LDtNBSGIjG2AFn0JDmpUeS_j_QraRIn22HYQYZIUfz4-ES_ig34YNCJ5SwRUa4sZE6WIJbCS6ezwo"
    "BIRFAFlFIsX4UJdPKtExNxaqnQ1qUjo5-97Xd4iQ-tcm9fESQh7pLe5kFGyNE3x3YNSM8-u2MD7FbMSDOndUvrPa2FeB4dPdblCvyxG5lzZBa3"
    "4MUyvUkTUVcV72dpJzkTe7TQplBWFiLdjL6G0fdHRAvSHTtfUyUs-2fjbItet1GyRMoG2COHHFkSz4lYSxsODFuR3SF9UlprFq7mZByFOZHWbZ"
    "q-SUyjtceptbBXMEDXVHriRjaU5gzYfHGxhG9xphqt0LhQE40UZORVgYsnfefazBfccN7d8476d7VQGlVEn21MMHEihcVhsUbDCRqcRykwVCZK"
    "m4UomzDFtgOYwe6vUErQRhHIvqFns7na_D-AUoVHZ1SmTQBJfDVOw8t5wLtDuL9PyXHZCpA2FpdQ3r7VaZgpigWw68zToe7BTggGLwqs7aiXI2"
    "p-i9LwAKoQPRHteYDvoZ682UjV_GBdIoymq2ZtONhhwiXC45ZMF-TRY13R1tXWdmpmetaqO-2OgAApJ7K_n81JdGDyYoXUvQHycdTsp5vWmYcS"
    "N0ADVaxqncM-xE-1pFcVgScFVMFYHvS3XEgNNtJEn8G79I7u_aqhr8OQnJXOgf5K-kZ0583o9gFrF5_aYAeDbQEeDgzKSnrT1aD7J5x7JUglkP"
    "Q86ewDiRtpaWou0x0FlI-RX8wlvZmNuRBB6GIJqpDOhJKuWFlZqWD_p7mY1Rca78PJGPPpm-sz7Vv2H-L8bELE3MvyJNhzJAcixMi7g9iZbd4Q"
    "zf9NJvRYfM1cFisZjBK739A1wbo"
)
"""The ready-made plan of rand_hie, version 1."""
EVERYTHING_1 = (
    "eNrtWG1r2zAQ_itDn91gp027BjbYMug26Bvd9mU1QbGvjoYsubKUNJT89538FsdNUpKatYxAPuROp9Nzp-fOZz-SCaiUSUH6nkM0HXEYChoD6Z"
    "MJS5lOiUPSYAwxJf1HwlLU3-SiQ5p2geQmFmjyu7D8AQ96kCkX1gkeh6fNncLmwsQjUE0rGgEKXE5Bkf6B2-k5xCSJFTzX7bgoCabR7jsdK8iO"
    "jhMOGrdqZaBy_llKDlQ0vTPOUbCWw6lUoUVM_lDiO-SO8rSmFMAE8St3A6ohkmr2BO272-zvLbFQciMGmYdb47pwiuoHZ1bz9AWNml5GUlkJqO"
    "K4WVf5DtEW9SyVKHinrnvgevjDFBKOS-ssu273qLSc-2XGCssrxSY0mP20OtwQgtDsjtn8lhfkECWnaHrokEhJk-Dfbq4bosUw0-FtIIgEJOYe"
    "_5-ggBmLxhhJWh11UWmqSBUknAYwlAJsFCMTRrDAdmaookKDDQWSlHFLzkN76SFwjTz04MA9xX33Boo0l1FxKgSE16ifkXx9VrkdSCN0uTQdA_"
    "KmXPokwoxDImQaS6Hm8VKtWRgg4ahieaZy4le0lZggqqVN5scPKE8oN3hYt9Or7v9SwOXd0s46hbINdfr48wV1LqSuY6qC-JaeszRlIqq7tUyf"
    "L8oB9BRgCXFBuqLSVvOozriiCtcYehXhnI15yguwlqdamrIC9tEDiSoibKSG2_EqamBvwI0xBGMqWBrjFk4zri0azvMkucoI3aCKMJxvg6nbGq"
    "YbE5cLDaLtCO2wNWjn2Fw3Y3uGtPvKe4OVtw2Xjlrj0pWSiVQ2seX6mE5sUvdcebtcadb5yvBsvrciVa81Un1lqZaRous6KODkYa_QPkOwZ_tL"
    "PdWONorJcPsOe_wPAijHxTyCHO9K8GSGIyV5Hfi_kFVUBNDuA-ykNXxndoyFcGk2HM1sTefkrxW8v58a_6-p8X3bLFo_qC0o5e9M-tO24W4Y3l"
    "6O16u9r70U77VB94yvayL3xXKRpIAixy3FbClYGFhBu0fhvUYUveUonvT2bQJo7z3kXIZPwec12f4Q4LX4lnKjqcbHKAsovy4-Gaxuz_uO_gYn"
    "zGdJtXtxH7X73eBFXwy8xgeu4waeiBoMn4osXmVso7CXH4DQmDwIyfwvhAQFKg"
)
"""tests.examples.scenarios.SCENARIO, version 1, which knew no targets."""
FIRST_PLAN_2 = "2._xEfxEMLL9IDxsw7MFw33NDVQKl2sAcRcjKldh4iLdyJScnUz0LEWkxaQUBiggMA"
"""The ready-made plan of rand_hie, version 2."""
EVERYTHING_2 = (
    "2.2mb8ze1ZwW6DMAz9lalnNhGK2vEL-wZy6AFpVNUOmzZth_x7kwDBGAds2kpo4la1aWzi5-eXBzqvn_qr9qeFjgXTQlg3IgeK6FpCDQVkEMiz"
    "rXiEr95O75-VDw15NmyO53ZHtpfLaIifT9QMr-qPnY4Tc5ftU-k_lrsRWZffaVoV9uvf5A_sNNAd7S4WPEMVQkkYVQQJY-uLZAoSO1nerTR68c"
    "Tb8wfe0TAbA7Lwws4obukMTJpezZCCzEke8geaZxvYQnIFMyKzvJUg_dP_E0IoqKIOPtr00BHJLYf0nix7dRUWtKBrO21GNJvQhZGFKgAumTyn"
    "pgHpUeobWBsheyVsCMABJQmSMYNQg93hQhJrz4xFTtYGhEOEx0CzIX-FyJcgJWciZVaPbkhYHxJwF5OP57nlAep54g7QlLiyU9sVyN3KLD1qSQ"
    "6Hm3Noixb8IO8DPSIF5K4sJ_UjM2Dch2kgA9pEb0rmfymZVxlGYloDAkbUl4Us_oT-WJSAekmZCWCnFEUfGKfuTgY8ZBsksQgWpaXukZYkIFdt"
    "AjcYg_L-s0OxhSnb8d4Ia4WyYxYyot7JJbcz6b1MEY4Z-VrAWSD0q4ClXrQ98xk32rHM0I02Vw"
)
"""tests.examples.scenarios.SCENARIO, version 2."""
