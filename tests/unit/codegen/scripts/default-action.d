/* What: nothing but a header is recorded. */
syscall::read:entry
{
}
