typedef struct article { char name[16]; int pence; } article_t;
typedef struct articleinfo { string name; int pence; } articleinfo_t;
translator articleinfo_t < article_t *A > { name = A->name; pence = A->pence; };
provider shop {
	probe opened();
	probe article__sold(article_t *article, int count) : (articleinfo_t *article, int count);
	probe day__done(int64_t turnover, string mood);
};
#pragma D attributes Evolving/Evolving/Common provider shop args
