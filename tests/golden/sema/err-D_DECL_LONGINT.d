long float x; long long double y;
