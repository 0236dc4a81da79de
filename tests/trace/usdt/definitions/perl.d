/*
 * The probes of Perl 5.36, names and types as its perldtrace.d declares them;
 * see <https://perldoc.perl.org/perldtrace>: two slashes inside of a comment.
 */

provider perl {
    probe sub__entry(const char *, const char *, int, const char *);
    probe sub__return(const char *, const char *, int, const char *);

    probe phase__change(const char *, const char *);

    probe op__entry(const char *);

    probe loading__file(const char *);
    probe loaded__file(const char *);
};

/*
 * ex: set ts=8 sts=4 sw=4 et:
 */
