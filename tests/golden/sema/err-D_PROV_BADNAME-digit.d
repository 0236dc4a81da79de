provider calm7 { probe go(int a); };
provider a_provider_whose_name_is_longer_than_what_any_list_of_probes_would_show { probe go(int a); };
BEGIN { trace(1); }
