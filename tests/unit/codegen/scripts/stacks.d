/* What: stacks in records and in keys; a user stack begins with the process. */
profile-97 { stack(5); ustack(3); trace(timestamp); }
syscall::read:entry { @[stack(2), ustack(2)] = count(); }
