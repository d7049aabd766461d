-- Mathematical functions.
SELECT abs(<<-5 ;; -5.5 ;; -5e0 ;; NULL ;; TINYINT '-5' ;; 'a'>>)
SELECT <<ceil ;; ceiling ;; floor ;; round ;; truncate ;; sign>>(<<2.5 ;; -2.5 ;; 2.4e0 ;; -2.5e0 ;; 7 ;; 12345.678>>)
SELECT round(<<2.567, 2 ;; 2.567e0, 1 ;; 1234, -2 ;; 2.5e0, 0 ;; -1.005, 2 ;; REAL '2.345', 2 ;; 1.5, NULL>>)
SELECT truncate(<<12.345, 2 ;; 12.345, -1>>)
SELECT <<sqrt(2) ;; sqrt(-1) ;; cbrt(27) ;; power(2, 10) ;; pow(2, 0.5) ;; exp(1) ;; ln(10) ;; log10(1000) ;; log2(8) ;; log(2, 64) ;; ln(0) ;; ln(-1) ;; e() ;; pi()>>
SELECT <<sin ;; cos ;; tan ;; asin ;; acos ;; atan ;; sinh ;; cosh ;; tanh ;; degrees ;; radians>>(<<0.5 ;; 0>>)
SELECT atan2(1, 2), acos(2)
SELECT mod(<<7, 3 ;; -7, 3 ;; 7.5, 2 ;; 7e0, 2 ;; 7, 0>>)
SELECT <<nan() ;; infinity() ;; -infinity() ;; is_nan(nan()) ;; is_nan(1e0) ;; is_finite(infinity()) ;; is_infinite(infinity())>>
SELECT width_bucket(<<5.0, 0, 10, 5 ;; -1, 0, 10, 5 ;; 11, 0, 10, 5 ;; 2.5, ARRAY[1.0, 2.0, 3.0]>>)
SELECT <<random() < 1 ;; rand(5) < 5 ;; random(1, 1) ;; random(10) >= 0>>
SELECT <<cosine_similarity(MAP(ARRAY['a'], ARRAY[1.0]), MAP(ARRAY['a'], ARRAY[2.0])) ;; cosine_distance(ARRAY[1.0, 2.0], ARRAY[2.0, 1.0]) ;; euclidean_distance(ARRAY[1.0, 2.0], ARRAY[2.0, 1.0]) ;; dot_product(ARRAY[1.0, 2.0], ARRAY[2.0, 1.0])>>
SELECT <<beta_cdf(2, 3, 0.5) ;; normal_cdf(0, 1, 1.96) ;; inverse_normal_cdf(0, 1, 0.5) ;; wilson_interval_lower(5, 10, 1.96) ;; t_cdf(1, 5)>>
SELECT sqrt('a')
SELECT power(2)
SELECT <<bar(0.5, 5) ;; color('red') ;; rgb(255, 0, 0) ;; render(true)>>
