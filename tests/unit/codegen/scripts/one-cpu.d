/* What: -xcpu.  Options: cpu=1 */
profile-97 { @ = count(); }
