int RED;
enum color { RED } c;
