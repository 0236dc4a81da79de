BEGIN { trace(nix); }
self struct /* the text ends here
