/* Places and lengths; of five fields the third is empty. */
watch:::0xffff800000000000 { }
watch:::0xffff800000000000+4:rw { }
watch:ext4::`symbol:w, watch::`symbol+2:x { }
watch:a:b:c:d { }
wat:::`symbol:w { }
