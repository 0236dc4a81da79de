typedef struct in { char name[8]; } in_t; typedef struct out { char name[16]; } out_t;
translator out_t < in_t *I > { name = I->name; };
BEGIN { this->o = xlate <out_t>((in_t *)arg0); }
