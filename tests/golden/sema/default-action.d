BEGIN {}
fake:::entry /pid/ {}
