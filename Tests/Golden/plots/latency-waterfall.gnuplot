set encoding utf8
set terminal svg size 1000,560 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "Touch to photon by stage: Touches window (talk-triple)" at screen 0.014, screen 0.9642857142857143 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "means, n \062\060" at screen 0.014, screen 0.925 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.171
set rmargin at screen 0.976
set tmargin at screen 0.8892857142857143
set bmargin at screen 0.10000000000000009
set xrange [0.0:97.6359162162162]
set xlabel "mean time since the scan began in ms" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid xtics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set yrange [8.6:-0.6]
set ylabel "" noenhanced textcolor rgb "#1f2328"
set ytics noenhanced ("scan" 0.0, "delivery" 1.0, "app" 2.0, "wait for compositor" 3.0, "compositor" 4.0, "GPU" 5.0, "queue" 6.0, "scan-out" 7.0, "touch to photon" 8.0)
set grid noytics
unset key
set label 100 "\061\066.\066\067 ms (\062\060 \045)" at 17.50014,0.0 left noenhanced front textcolor rgb "#1f2328"
set label 101 "\060.\060\060 ms (\060 \045)" at 17.50014,1.0 left noenhanced front textcolor rgb "#1f2328"
set label 102 "\061\066.\066\067 ms (\062\060 \045)" at 34.16694,2.0 left noenhanced front textcolor rgb "#1f2328"
set label 103 "\060.\060\060 ms (\060 \045)" at 34.16694,3.0 left noenhanced front textcolor rgb "#1f2328"
set label 104 "\061\066.\066\067 ms (\062\060 \045)" at 50.83374,4.0 left noenhanced front textcolor rgb "#1f2328"
set label 105 "\061\066.\066\067 ms (\062\060 \045)" at 67.50054,5.0 left noenhanced front textcolor rgb "#1f2328"
set label 106 "\060.\060\060 ms (\060 \045)" at 67.50054,6.0 left noenhanced front textcolor rgb "#1f2328"
set label 107 "\061\066.\066\067 ms (\062\060 \045)" at 84.16734,7.0 left noenhanced front textcolor rgb "#1f2328"
set label 108 "\070\063.\063\063 ms (\061\060\060 \045)" at 84.16734000000001,8.0 left noenhanced front textcolor rgb "#1f2328"
plot "data/\060" binary format="%double%double%double%double" record=(1) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#6e7781" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 notitle, \
  "data/\061" binary format="%double%double%double%double" record=(1) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#f0e442" fillstyle transparent pattern 4 border linecolor rgb "#f0e442" linewidth 0.8 notitle, \
  "data/\062" binary format="%double%double%double%double" record=(1) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 notitle, \
  "data/\063" binary format="%double%double%double%double" record=(1) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#e69f00" fillstyle transparent pattern 4 border linecolor rgb "#e69f00" linewidth 0.8 notitle, \
  "data/\064" binary format="%double%double%double%double" record=(1) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#e69f00" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 notitle, \
  "data/\065" binary format="%double%double%double%double" record=(1) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#009e73" fillstyle transparent pattern 4 border linecolor rgb "#009e73" linewidth 0.8 notitle, \
  "data/\066" binary format="%double%double%double%double" record=(1) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#56b4e9" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 notitle, \
  "data/\067" binary format="%double%double%double%double" record=(1) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#cc79a7" fillstyle transparent pattern 4 border linecolor rgb "#cc79a7" linewidth 0.8 notitle, \
  "data/\070" binary format="%double%double%double%double" record=(1) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#6e7781" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 notitle
unset label
unset multiplot
unset output
# data/0: 0.0 16.6668 -0.36 0.36
# data/1: 16.6668 16.6668 0.64 1.3599999999999999
# data/2: 16.6668 33.3336 1.6400000000000001 2.36
# data/3: 33.3336 33.3336 2.64 3.36
# data/4: 33.3336 50.0004 3.64 4.36
# data/5: 50.0004 66.6672 4.64 5.36
# data/6: 66.6672 66.6672 5.64 6.36
# data/7: 66.6672 83.33399999999999 6.64 7.36
# data/8: 0.0 83.334 7.64 8.36
