int vmlinux`x;
struct vmlinux`y { int a; } z;
enum D`e { A };
